// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/FunctionNames.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

bool mpishm::runsAsItStands(const FunctionDecl &F) {
  return !F.getBuiltinID() && !F.isConstexpr() && !llvm::any_of(F.redecls(), [](const FunctionDecl *Each) {
    return Each->hasAttr<AlwaysInlineAttr>() || Each->hasAttr<EnableIfAttr>() || Each->hasAttr<DiagnoseIfAttr>() ||
           Each->hasAttr<DiagnoseAsBuiltinAttr>();
  });
}

namespace {

/// Meets what is given a name before the name itself. In a template the name is none yet, and what is made of that is
/// met, too, unless it is of a closure or a default argument.
class NameVisitor : public SyntaxVisitor {
public:
  explicit NameVisitor(const Places &P) : Where(P) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool TraverseDecl(Decl *D) override {
    bool IsLibrarys = D && !isa<TranslationUnitDecl>(D) && Where.isLibrary(D->getLocation());
    return IsLibrarys || SyntaxVisitor::TraverseDecl(D);
  }

  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (Callee && !Where.isLibrary(Callee->getLocation()) && runsAsItStands(*Callee))
      handAll(E->arguments());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    if (runsAsItStands(*E->getConstructor()))
      handAll(E->arguments());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) override {
    if (E->isGenericLambda())
      lookAt(E->getBody());
    return true;
  }
  bool VisitParmVarDecl(ParmVarDecl *D) override {
    if (D->hasDefaultArg() && !D->hasUnparsedDefaultArg())
      lookAt(D->hasUninstantiatedDefaultArg() ? D->getUninstantiatedDefaultArg() : D->getDefaultArg());
    return true;
  }
  bool VisitFieldDecl(FieldDecl *D) override {
    lookAt(D->getInClassInitializer());
    return true;
  }
  bool VisitPredefinedExpr(PredefinedExpr *E) override {
    bool IsHarmless = E->isTypeDependent() || Handed.contains(E);
    (IsHarmless ? HandedAt : LookedAt).insert(E->getLocation());
    return true;
  }

  llvm::DenseSet<SourceLocation> take() {
    for (SourceLocation At : LookedAt)
      HandedAt.erase(At);
    return std::move(HandedAt);
  }

private:
  void lookAt(const Stmt *S) {
    if (const auto *Name = dyn_cast_or_null<PredefinedExpr>(S))
      LookedAt.insert(Name->getLocation());
    if (S)
      for (const Stmt *Child : S->children())
        lookAt(Child);
  }
  template <typename Range> void handAll(const Range &Given) {
    for (const Expr *Each : Given)
      if (Each->getType()->isPointerType())
        Handed.insert(Each->IgnoreParenCasts());
  }

  const Places &Where;
  llvm::DenseSet<const Expr *> Handed;
  llvm::DenseSet<SourceLocation> HandedAt, LookedAt;
};

} // namespace

llvm::DenseSet<SourceLocation> mpishm::findHandedNames(ASTContext &Context, const Places &Where) {
  NameVisitor V(Where);
  V.TraverseDecl(Context.getTranslationUnitDecl());
  return V.take();
}
