// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of loops from one constant to another: their values are listed, where they are few.

#include "flows/Builder.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace mpishm;
using namespace clang;

/// A loop over more values than this tells no tags apart.
static constexpr int64_t MaxTurns = 15;

namespace {

/// Looks for what happens to a local variable but being read.
class Uses : public RecursiveASTVisitor<Uses> {
public:
  explicit Uses(const VarDecl *D) : Variable(D) {}
  unsigned All = 0, Read = 0, Changed = 0;

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    All += E->getDecl() == Variable;
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) {
    Read += E->getCastKind() == CK_LValueToRValue && names(E->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    Changed += E->isAssignmentOp() && names(E->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) {
    Changed += E->isIncrementDecrementOp() && names(E->getSubExpr());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    for (const LambdaCapture &C : E->captures())
      All += C.capturesVariable() && C.getCapturedVar() == Variable && C.getCaptureKind() == LCK_ByRef;
    return true;
  }
  bool names(const Expr *E) const {
    const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return Reference && Reference->getDecl() == Variable;
  }

private:
  const VarDecl *Variable;
};

} // namespace

static std::optional<int64_t> constantOf(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Value;
  if (!E || E->isValueDependent() || !E->EvaluateAsInt(Value, Context, Expr::SE_NoSideEffects))
    return std::nullopt;
  return Value.Val.getInt().tryExtValue();
}

/// The variable that \p Init gives its first value, \p First.
static const VarDecl *counterOf(const Stmt *Init, const Expr *&First) {
  if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(Init); Declaration && Declaration->isSingleDecl()) {
    const auto *D = dyn_cast<VarDecl>(Declaration->getSingleDecl());
    First = D ? D->getInit() : nullptr;
    return D;
  }
  const auto *Assignment = dyn_cast_or_null<BinaryOperator>(Init);
  if (!Assignment || Assignment->getOpcode() != BO_Assign)
    return nullptr;
  const auto *Reference = dyn_cast<DeclRefExpr>(Assignment->getLHS()->IgnoreParens());
  First = Assignment->getRHS();
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

void Builder::loop(const ForStmt *Loop) {
  const Expr *First = nullptr;
  const VarDecl *Counter = counterOf(Loop->getInit(), First);
  const auto *Condition = dyn_cast_or_null<BinaryOperator>(Loop->getCond());
  const auto *Step = dyn_cast_or_null<UnaryOperator>(Loop->getInc());
  if (!Counter || !Counter->hasLocalStorage() || !Counter->getType()->isSignedIntegerType() || !Condition || !Step ||
      !Step->isIncrementOp() || !Enclosing || !Enclosing->getBody() || Counter->getDeclContext() != Enclosing)
    return;
  bool Inclusive = Condition->getOpcode() == BO_LE;
  if (!Inclusive && Condition->getOpcode() != BO_LT && Condition->getOpcode() != BO_NE)
    return;
  std::optional<int64_t> Begin = constantOf(First, Context), End = constantOf(Condition->getRHS(), Context);
  if (!Begin || !End || *End < *Begin || *End > INT32_MAX || *End - *Begin > MaxTurns)
    return;
  Uses InBody(Counter), InFunction(Counter);
  if (!InBody.names(Step->getSubExpr()) || !InBody.names(Condition->getLHS()->IgnoreParenImpCasts()))
    return;
  InBody.TraverseStmt(const_cast<Stmt *>(Loop->getBody()));
  InFunction.TraverseStmt(Enclosing->getBody());
  // The body leaves it alone, and nothing has its address.
  if (InBody.Changed != 0 || InFunction.All != InFunction.Read + InFunction.Changed)
    return;
  CountedSteps.insert(Step);
  // One more is what it is when the loop ends.
  for (int64_t Value = *Begin; Value <= *End + (Inclusive ? 1 : 0); ++Value)
    Emit.flow(Emit.objectOf(Counter), makeConstant(Value), false, Loop->getForLoc());
}
