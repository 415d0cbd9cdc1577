// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/ProgramVisitor.h"
#include "syntax/Callees.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Looks for uses of MPI in a function.
class MpiSearch : public SyntaxVisitor {
public:
  explicit MpiSearch(Types &T) : Typing(T) {}

  bool isIn(FunctionDecl *F) {
    TraverseDecl(F);
    return Found;
  }
  bool VisitValueDecl(ValueDecl *D) override { return !(Found |= Typing.classify(D->getType()).Handle); }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
    Found |= F ? !mpiNameOf(F).empty() : Typing.classify(E->getType()).Handle;
    return !Found;
  }

private:
  Types &Typing;
  bool Found = false;
};

} // namespace

bool mpishm::isOfLibrary(Decl *D, const Places &Where, Types &Typing) {
  if (!Where.isLibrary(D->getLocation()))
    return false;
  if (const auto *Namespace = dyn_cast<NamespaceDecl>(D))
    return Namespace->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
           (Namespace->getName() == "std" || Namespace->getName() == "__gnu_cxx" || Namespace->getName() == "MPI");
  if (isa<FunctionDecl, CXXRecordDecl>(D) && Types::isStandard(D))
    return true;
  if (auto *F = dyn_cast<FunctionDecl>(D))
    return !F->doesThisDeclarationHaveABody() || !MpiSearch(Typing).isIn(F);
  if (const auto *Variable = dyn_cast<VarDecl>(D); Variable && !Variable->isLocalVarDeclOrParm())
    return !Typing.classify(Variable->getType()).Handle;
  return false;
}

bool ProgramVisitor::TraverseDecl(Decl *D) {
  if (!D || D->isInvalidDecl())
    return true;
  if (const auto *Context = dyn_cast<DeclContext>(D);
      Context && isa<FunctionDecl, CXXRecordDecl>(D) && Context->isDependentContext())
    return true; // a template is not executed, its instantiations are
  if (isOfLibrary(D, Where, Typing))
    return true;
  auto *F = dyn_cast<FunctionDecl>(D);
  if (!F)
    return SyntaxVisitor::TraverseDecl(D);
  const FunctionDecl *Around = Inside;
  enter(Inside = F);
  bool Result = SyntaxVisitor::TraverseDecl(D);
  enter(Inside = Around);
  return Result;
}

bool ProgramVisitor::TraverseGenericSelectionExpr(GenericSelectionExpr *E) {
  return E->isResultDependent() ? SyntaxVisitor::TraverseGenericSelectionExpr(E) : TraverseStmt(E->getResultExpr());
}

bool ProgramVisitor::TraverseChooseExpr(ChooseExpr *E) {
  return E->isConditionDependent() ? SyntaxVisitor::TraverseChooseExpr(E) : TraverseStmt(E->getChosenSubExpr());
}
