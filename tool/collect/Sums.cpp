// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of multiples, such as `base + 2 * direction + 1`: match works out what they may be.

#include "collect/Values.h"

using namespace mpishm;
using namespace clang;

/// Arithmetic on these is exact: overflow is not defined, so that it does not happen.
static bool isExact(const Expr *E, const ASTContext &Context) {
  return E->getType()->isSignedIntegerType() && Context.getTypeSize(E->getType()) == 32;
}

/// Adds \p Factor times the value of \p E, a part of \p Whole, to \p S. False when it is no sum that we can write.
bool Values::addMultiple(Sum &S, const Expr *Whole, const Expr *E, int64_t Factor) {
  E = E->IgnoreParens();
  if (Factor > INT32_MAX || Factor < INT32_MIN)
    return false;
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
      Cast && Cast->getCastKind() == CK_IntegralCast && isExact(Cast->getSubExpr(), Context) && isExact(E, Context))
    return addMultiple(S, Whole, Cast->getSubExpr(), Factor);
  if (Where.macroOf(E, isMpiConstant).empty() && isExact(E, Context)) {
    if (const auto *Minus = dyn_cast<UnaryOperator>(E); Minus && Minus->getOpcode() == UO_Minus)
      return addMultiple(S, Whole, Minus->getSubExpr(), -Factor);
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->getOpcode() == BO_Add || B->getOpcode() == BO_Sub)
        return addMultiple(S, Whole, B->getLHS(), Factor) &&
               addMultiple(S, Whole, B->getRHS(), B->getOpcode() == BO_Add ? Factor : -Factor);
      Operands Constant;
      for (auto [One, Other] : {std::pair(B->getLHS(), B->getRHS()), std::pair(B->getRHS(), B->getLHS())})
        if (B->getOpcode() == BO_Mul && (Constant = of(One)).size() == 1 &&
            Constant[0].Which == Operand::Kind::Constant && std::abs(Constant[0].Value) <= INT32_MAX)
          return addMultiple(S, Whole, Other, Factor * Constant[0].Value);
    }
  }
  if (E == Whole) // a product of variables, a remainder
    return false;
  Operands Found = of(E);
  if (Found.size() == 1 && Found[0].Which == Operand::Kind::Constant) {
    if (std::abs(Found[0].Value) > INT32_MAX)
      return false;
    S.Offset += Factor * Found[0].Value;
    return true;
  }
  // Several values, or of another type, are no number that we know; but they may be a wildcard.
  if (Found.size() != 1 || !isExact(E, Context))
    return false;
  S.Terms.push_back({Found[0], Factor});
  return true;
}

/// The object of \p E as a sum, where that says more than that it is computed.
std::optional<Operand> Values::ofSum(const Expr *E) {
  Sum S;
  if (!isExact(E, Context) || !addMultiple(S, E->IgnoreParens(), E, 1) || S.Terms.empty())
    return std::nullopt;
  bool Telling = llvm::all_of(S.Terms, [](const Sum::Term &T) {
    return T.Value.Which == Operand::Kind::Object || (T.Value.Which == Operand::Kind::Computed && T.Factor % 2 == 0);
  });
  if (!Telling)
    return std::nullopt;
  Place At = Where.at(E->getExprLoc());
  std::string Id = "sum:" + At.File + ":" + std::to_string(At.Offset) + ":" +
                   std::to_string(Where.sources().getFileOffset(Where.sources().getSpellingLoc(E->getExprLoc())));
  S.To = Emit.object(Id, "a sum", Domain::Integer);
  Operand Result = makeObject(S.To);
  Emit.sum(std::move(S));
  return Result;
}
