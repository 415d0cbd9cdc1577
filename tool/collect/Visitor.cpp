// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Visitor.h"
#include "collect/Builder.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Visits what is executed: instantiations instead of templates, the hidden parts of range-based loops, the bodies of
/// closures; no functions of the standard library.
class Visitor : public RecursiveASTVisitor<Visitor> {
public:
  Visitor(ASTContext &Context, const Places &P, Types &Typing, Emitter &Emit)
      : Where(P), Build(Context, P, Typing, Emit) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (!D || D->isInvalidDecl())
      return true;
    if (const auto *Context = dyn_cast<DeclContext>(D);
        Context && isa<FunctionDecl, CXXRecordDecl>(D) && Context->isDependentContext())
      return true; // a template is not executed, its instantiations are
    if (isa<FunctionDecl, CXXRecordDecl>(D) && (Types::isStandard(D) || isMpiBinding(D)))
      return true;
    auto *F = dyn_cast<FunctionDecl>(D);
    if (!F)
      return RecursiveASTVisitor::TraverseDecl(D);
    llvm::SaveAndRestore<const FunctionDecl *> Inside(Build.Enclosing, F);
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitVarDecl(VarDecl *D) {
    if (!isa<DecompositionDecl>(D) || D->getInit())
      Build.variable(D);
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
  bool VisitCXXThrowExpr(CXXThrowExpr *E) {
    Build.caught(E);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    Build.reference(E);
    return true;
  }

private:
  bool isMpiBinding(const Decl *D) const {
    const auto *Namespace = dyn_cast<NamespaceDecl>(D->getDeclContext()->getRedeclContext());
    return Namespace && Namespace->getName() == "MPI" && Where.isLibrary(D->getLocation());
  }

  const Places &Where;
  Builder Build;
};

} // namespace

void mpishm::visitUnit(ASTContext &Context, const Places &Where, Types &Typing, Emitter &Emit) {
  Visitor(Context, Where, Typing, Emit).TraverseDecl(Context.getTranslationUnitDecl());
}
