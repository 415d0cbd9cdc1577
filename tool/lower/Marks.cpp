// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Marks.h"
#include "mpi/Functions.h"
#include "syntax/Expressions.h"
#include "syntax/Places.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include <map>
#include <tuple>

using namespace mpishm;
using namespace clang;

static constexpr llvm::StringLiteral Separator = ".site";

llvm::StringRef mpishm::functionOfSymbol(llvm::StringRef Symbol) { return Symbol.split(Separator).first; }

std::optional<unsigned> mpishm::siteOfSymbol(llvm::StringRef Symbol) {
  unsigned Number = 0;
  auto [Function, Digits] = Symbol.split(Separator);
  if (Function.size() == Symbol.size() || Digits.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

namespace {

class Marker : public SyntaxVisitor {
public:
  Marker(ASTContext &C, const Places &W) : Context(C), Where(W) {}

  // All that code is generated for.
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitCallExpr(CallExpr *E) override {
    for (const DeclRefExpr *Called : calledNames(E)) {
      auto *Name = const_cast<DeclRefExpr *>(Called);
      auto *F = dyn_cast<FunctionDecl>(Name->getDecl());
      // What the unit defines itself may be inlined; a declaration of its own would lose the body.
      if (F && isOfMpi(F) && !F->isDefined())
        Name->setDecl(declarationFor(F, Name->getLocation()));
    }
    return true;
  }

  std::vector<SiteMark> Sites;
  std::string Header;

private:
  /// A parsed name may be shared by a template and its instances: what has a mark keeps it.
  static bool isOfMpi(const FunctionDecl *F) {
    return F->getIdentifier() && !F->hasAttr<AsmLabelAttr>() &&
           (F->isExternC() || !F->getASTContext().getLangOpts().CPlusPlus) &&
           (F->isExternallyVisible() || findFunction(F->getName())) &&
           (isMpiName(F->getName()) || F->getName().starts_with("MPISHM_"));
  }

  FunctionDecl *declarationFor(FunctionDecl *F, SourceLocation Loc) {
    NamePlace At = Where.ofName(Loc, F->getName());
    // In C, and across the instances of a template, one place may see declarations of other types.
    auto [It, New] = Declarations.try_emplace({F->getCanonicalDecl(), At.Where, At.Token});
    if (!New)
      return It->second;
    auto *Own = FunctionDecl::Create(Context, F->getDeclContext(), F->getBeginLoc(), F->getNameInfo(), F->getType(),
                                     F->getTypeSourceInfo(), SC_Extern, F->UsesFPIntrin(), /*isInlineSpecified=*/false,
                                     F->hasWrittenPrototype(), ConstexprSpecKind::Unspecified, nullptr);
    Own->setParams(F->parameters());
    Own->addAttr(AsmLabelAttr::CreateImplicit(Context, (F->getName() + Separator + llvm::Twine(Sites.size())).str(),
                                              /*IsLiteralLabel=*/true));
    if (Sites.empty())
      Header = Where.at(F->getCanonicalDecl()->getLocation()).File;
    Sites.push_back({F->getName().str(), At.Where, At.Token});
    return It->second = Own;
  }

  ASTContext &Context;
  const Places &Where;
  std::map<std::tuple<const FunctionDecl *, Place, Place>, FunctionDecl *> Declarations;
};

} // namespace

std::vector<SiteMark> mpishm::markSites(ASTContext &Context, const Places &Where, std::string &Header) {
  Marker M(Context, Where);
  M.TraverseDecl(Context.getTranslationUnitDecl());
  Header = std::move(M.Header);
  return std::move(M.Sites);
}
