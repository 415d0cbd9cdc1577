// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin for clang-tidy 19: keeps its checks from what system headers declare, as clang-tidy 21 does by itself. It
// would throw their findings there away anyhow, after most of the time that it takes.

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

struct Scope : clang::ASTConsumer {
  void HandleTranslationUnit(clang::ASTContext &Context) override {
    std::vector<clang::Decl *> Ours;
    for (clang::Decl *D : Context.getTranslationUnitDecl()->decls())
      if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
        Ours.push_back(D);
    Context.setTraversalScope(Ours);
  }
};

struct ScopeAction : clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance & /*Compiler*/,
                                                        llvm::StringRef /*File*/) override {
    return std::make_unique<Scope>();
  }
  bool ParseArgs(const clang::CompilerInstance & /*Compiler*/, const std::vector<std::string> & /*Given*/) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<ScopeAction> Register("tidy-scope", "leave system headers out");

} // namespace
