// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "flows/Visitor.h"
#include "flows/Builder.h"
#include "syntax/ProgramVisitor.h"

using namespace mpishm;
using namespace clang;

namespace {

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

void mpishm::visitUnit(ASTContext &Context, const Places &Where, Types &Typing, Emitter &Emit) {
  Visitor(Context, Where, Typing, Emit).TraverseDecl(Context.getTranslationUnitDecl());
}
