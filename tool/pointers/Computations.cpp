// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/Computations.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

/// True for an element of an array, of memory behind a pointer, of a container, or a member of one.
static bool isElement(const Expr *E) {
  E = E->IgnoreParens();
  if (isa<ArraySubscriptExpr>(E))
    return true;
  if (const auto *X = dyn_cast<UnaryOperator>(E))
    return X->getOpcode() == UO_Deref && !isa<CXXThisExpr>(X->getSubExpr()->IgnoreParenImpCasts());
  if (const auto *X = dyn_cast<MemberExpr>(E)) {
    if (X->isArrow())
      return !isa<CXXThisExpr>(X->getBase()->IgnoreParenImpCasts());
    return isElement(X->getBase());
  }
  return isa<CallExpr>(E) && E->isLValue();
}

/// Which operands of the arithmetic of \p E are part of it; an element that is read goes \p Into the elements.
static void gatherStep(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Next,
                       llvm::SmallVectorImpl<const Expr *> &Into) {
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() != CK_LValueToRValue)
      Next.push_back(Cast->getSubExpr());
    else if (Cast->getType()->isArithmeticType() && isElement(Cast->getSubExpr()))
      Into.push_back(Cast->getSubExpr());
  } else if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isMultiplicativeOp() || Binary->isAdditiveOp())
      Next.append({Binary->getRHS(), Binary->getLHS()});
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->isArithmeticOp())
      Next.push_back(Unary->getSubExpr());
  } else if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(E)) {
    Next.append({Choice->getFalseExpr(), Choice->getTrueExpr()});
  }
}

/// The elements that are read in the arithmetic of \p E, from left to right; of a very long one not all. (The visitor
/// asks for each of its operators, so that all of them would be quadratic; those of a part are found there.)
void Computations::gather(const Expr *E, Elements &Into) {
  constexpr unsigned MaxSteps = 256;
  llvm::SmallVector<const Expr *, 16> Next = {E};
  for (unsigned Steps = 0; !Next.empty() && Steps < MaxSteps; ++Steps)
    gatherStep(Next.pop_back_val()->IgnoreParens(), Next, Into);
}

void Computations::mark(const Expr *Element) {
  PointerNodeIndex Value = Reader.address(Element);
  if (Value != NoNode && Value != OutsideNode)
    Facts.Computations.push_back({Value, Where.at(Element->getExprLoc())});
}

void Computations::mark(const Elements &Found) {
  for (const Expr *E : Found)
    mark(E);
}

/// The variable or field that \p E is an element of, or null.
static const ValueDecl *baseOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *X = dyn_cast<ArraySubscriptExpr>(E))
    return baseOf(X->getBase());
  if (const auto *X = dyn_cast<UnaryOperator>(E))
    return baseOf(X->getSubExpr());
  if (const auto *X = dyn_cast<MemberExpr>(E))
    return X->getMemberDecl();
  if (const auto *X = dyn_cast<DeclRefExpr>(E))
    return X->getDecl();
  return nullptr;
}

bool Computations::isSameStorage(const Expr *A, const Expr *B) { return baseOf(A) && baseOf(A) == baseOf(B); }

void Computations::binary(const BinaryOperator *E) {
  if (!E->getType()->isArithmeticType() || E->isTypeDependent())
    return;
  Elements Left, Right;
  if (E->getOpcode() == BO_Assign) { // u[i] = u[i] + buffer[k]
    const auto *Sum = dyn_cast<BinaryOperator>(E->getRHS()->IgnoreParenImpCasts());
    if (!Sum || !Sum->isAdditiveOp())
      return;
    gather(Sum->getLHS(), Left);
    gather(Sum->getRHS(), Right);
    if (Left.size() != 1 || Right.size() != 1)
      return;
    for (auto [Own, Other] : {std::pair(Left[0], Right[0]), std::pair(Right[0], Left[0])})
      if (isSameStorage(E->getLHS(), Own) && !isSameStorage(Own, Other)) {
        Additions.insert(Sum);
        mark(Own);
        return;
      }
    return;
  }
  if (E->isCompoundAssignmentOp()) {
    if (isElement(E->getLHS()))
      mark(E->getLHS());
    gather(E->getRHS(), Right);
    bool Adds = E->getOpcode() == BO_AddAssign || E->getOpcode() == BO_SubAssign;
    if (!Adds && isElement(E->getLHS()))
      mark(Right);
    return;
  }
  if (!(E->isMultiplicativeOp() || E->isAdditiveOp()) || Additions.contains(E))
    return;
  gather(E->getLHS(), Left);
  gather(E->getRHS(), Right);
  if (Left.empty() || Right.empty())
    return;
  mark(Left);
  mark(Right);
}

void Computations::step(const UnaryOperator *E) {
  if (E->isIncrementDecrementOp() && E->getType()->isArithmeticType() && isElement(E->getSubExpr()))
    mark(E->getSubExpr());
}
