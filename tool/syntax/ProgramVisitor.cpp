// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/ProgramVisitor.h"
#include "syntax/Callees.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Looks for uses of MPI in a function.
class MpiSearch : public RecursiveASTVisitor<MpiSearch> {
public:
  explicit MpiSearch(Types &T) : Typing(T) {}

  bool isIn(FunctionDecl *F) {
    TraverseDecl(F);
    return Found;
  }
  bool VisitValueDecl(ValueDecl *D) { return !(Found |= Typing.classify(D->getType()).Handle); }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
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
