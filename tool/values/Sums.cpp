// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of multiples, such as `base + 2 * direction + 1`: match works out what they may be.

#include "values/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mpishm;
using namespace clang;

/// Arithmetic on these is exact: overflow is not defined, so that it does not happen.
static bool isExact(const Expr *E, const ASTContext &Context) {
  return E->getType()->isSignedIntegerType() && Context.getTypeSize(E->getType()) == 32;
}

/// More terms, or larger factors, are no tag that anybody would write.
static constexpr size_t MaxTerms = 64;

/// \p Factor times \p S; nothing when that is too large.
static std::optional<Sum> scaled(std::optional<Sum> S, int64_t Factor) {
  if (!S || std::abs(Factor) > INT32_MAX)
    return std::nullopt;
  S->Offset *= Factor; // fits: see added
  for (Sum::Term &T : S->Terms) {
    T.Factor *= Factor;
    if (std::abs(T.Factor) > INT32_MAX)
      return std::nullopt;
  }
  return std::abs(S->Offset) > INT32_MAX ? std::nullopt : S;
}

static std::optional<Sum> added(std::optional<Sum> A, const std::optional<Sum> &B) {
  if (!A || !B || A->Terms.size() + B->Terms.size() > MaxTerms)
    return std::nullopt;
  A->Offset += B->Offset;
  llvm::append_range(A->Terms, B->Terms);
  return std::abs(A->Offset) > INT32_MAX ? std::nullopt : A;
}

/// \p E as the sum or the multiple that it is written as. Nothing when it is written otherwise, or when its parts are
/// no numbers that we know.
std::optional<Sum> Values::writtenSum(const Expr *E) {
  if (!Where.macroOf(E, isMpiConstant).empty() || !isExact(E, Context))
    return std::nullopt;
  if (const auto *Minus = dyn_cast<UnaryOperator>(E); Minus && Minus->getOpcode() == UO_Minus)
    return scaled(sumOf(Minus->getSubExpr()), -1);
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (B && B->isAdditiveOp())
    return added(sumOf(B->getLHS()), scaled(sumOf(B->getRHS()), B->getOpcode() == BO_Add ? 1 : -1));
  Operands Constant;
  if (B && B->getOpcode() == BO_Mul)
    for (auto [One, Other] : {std::pair(B->getLHS(), B->getRHS()), std::pair(B->getRHS(), B->getLHS())})
      if ((Constant = of(One)).size() == 1 && Constant[0].Which == Operand::Kind::Constant)
        return scaled(sumOf(Other), Constant[0].Value);
  return std::nullopt;
}

/// The same, or \p E itself as the only term, or as a number.
std::optional<Sum> Values::sumOf(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
      Cast && Cast->getCastKind() == CK_IntegralCast && isExact(Cast->getSubExpr(), Context) && isExact(E, Context))
    return sumOf(Cast->getSubExpr());
  if (auto It = Sums.find(E); It != Sums.end())
    return It->second;
  if (Depth == MaxDepth)
    return std::nullopt;
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  std::optional<Sum> S = writtenSum(E);
  if (!S) {
    Operands Found = of(E);
    bool Constant = Found.size() == 1 && Found[0].Which == Operand::Kind::Constant;
    // Several values, or of another type, are no number that we know; but they may be a wildcard.
    if (Constant && std::abs(Found[0].Value) <= INT32_MAX)
      S = Sum{0, Found[0].Value, {}};
    else if (!Constant && Found.size() == 1 && isExact(E, Context))
      S = Sum{0, 0, {{Found[0], 1}}};
  }
  Sums.try_emplace(E, S);
  return S;
}

/// The object of \p E as a sum, where that says more than that it is computed.
std::optional<Operand> Values::ofSum(const Expr *E) {
  std::optional<Sum> Written = writtenSum(E->IgnoreParens());
  if (!Written || Written->Terms.empty())
    return std::nullopt;
  Sum &S = *Written;
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
