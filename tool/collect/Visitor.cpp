// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Visitor.h"
#include "collect/Builder.h"
#include "collect/ProgramVisitor.h"

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

class Visitor : public ProgramVisitor<Visitor> {
public:
  Visitor(ASTContext &Context, const Places &P, Types &T, Emitter &Emit)
      : ProgramVisitor(P, T), Build(Context, P, T, Emit) {}

  void enter(const FunctionDecl *F) { Build.Enclosing = F; }

  bool VisitVarDecl(VarDecl *D) {
    if (!isa<DecompositionDecl>(D) || D->getInit())
      Build.variable(D);
    return true;
  }
  bool VisitBindingDecl(BindingDecl *D) {
    if (const VarDecl *Holding = D->getHoldingVar())
      Build.variable(Holding);
    return true;
  }
  bool VisitRecordDecl(RecordDecl *D) {
    Build.record(D);
    return true;
  }
  bool VisitFieldDecl(FieldDecl *D) {
    if (!D->getParent()->isDependentContext())
      Build.field(D);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *F) {
    Build.function(F);
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    Build.memberInitializer(Init);
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }
  bool VisitForStmt(ForStmt *Loop) {
    Build.loop(Loop);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    Build.lambda(E);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->isAssignmentOp())
      Build.assignment(E);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) {
    Build.step(E);
    return true;
  }
  bool VisitInitListExpr(InitListExpr *E) {
    Build.list(E);
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *S) {
    Build.returned(Build.Enclosing, S->getRetValue());
    return true;
  }
  bool VisitCastExpr(CastExpr *E) {
    Build.cast(E);
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    Build.call(E);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    Build.construct(E);
    return true;
  }
  bool VisitVAArgExpr(VAArgExpr *E) {
    Build.variadicArgument(E);
    return true;
  }
  bool VisitAtomicExpr(AtomicExpr *E) {
    Build.atomic(E);
    return true;
  }
  bool VisitCXXThrowExpr(CXXThrowExpr *E) {
    Build.caught(E);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    Build.reference(E);
    return true;
  }

private:
  Builder Build;
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

void mpishm::visitUnit(ASTContext &Context, const Places &Where, Types &Typing, Emitter &Emit) {
  Visitor(Context, Where, Typing, Emit).TraverseDecl(Context.getTranslationUnitDecl());
}
