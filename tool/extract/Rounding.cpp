// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Rounding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <optional>

using llvm::BinaryOperator;
using llvm::dyn_cast;
using mpishm::ir::RoundedAddress;

/// Whether an address stays in its object when \p Op is done with it and \p By, if the result is used as an address:
/// only some of its lowest bits change.
static bool staysNear(unsigned Op, int64_t By) {
  constexpr int64_t Page = 4096; // of a machine's memory: none is aligned at more, as a rule
  auto IsSmall = [](int64_t N) { return N > -Page && N < Page; };
  switch (Op) {
  case BinaryOperator::And: // keeps all others
    return ~By >= 0 && IsSmall(~By);
  case BinaryOperator::Or:
  case BinaryOperator::Xor:
    return By >= 0 && IsSmall(By);
  case BinaryOperator::Add:
  case BinaryOperator::Sub:
    return IsSmall(By);
  default:
    return false;
  }
}

/// The constant that \p I has as its second operand.
static std::optional<int64_t> constantIn(const BinaryOperator &I) {
  const auto *By = dyn_cast<llvm::ConstantInt>(I.getOperand(1));
  return By && By->getBitWidth() <= 64 ? std::optional(By->getSExtValue()) : std::nullopt;
}

namespace {
/// Times * Base + Plus.
struct Sum {
  const llvm::Value *Base = nullptr;
  int64_t Times = 1, Plus = 0;

  Sum negative() const { return {Base, -Times, -Plus}; }
  Sum plus(int64_t N) const { return {Base, Times, Plus + N}; }
};
} // namespace

/// \p V as a sum, as far as that is no longer by constants than a page's. No program that rounds an address lets such
/// a sum wrap.
static Sum sumOf(const llvm::Value &V, unsigned Steps = 6) {
  if (const auto *Wide = dyn_cast<llvm::SExtInst>(&V))
    return sumOf(*Wide->getOperand(0), Steps);
  if (const auto *Wide = dyn_cast<llvm::ZExtInst>(&V))
    return {Wide->getOperand(0)};
  const auto *I = dyn_cast<BinaryOperator>(&V);
  const std::optional<int64_t> By = I ? constantIn(*I) : std::nullopt;
  if (!I || !Steps)
    return {&V};
  const auto *Zero = dyn_cast<llvm::ConstantInt>(I->getOperand(0));
  if (I->getOpcode() == BinaryOperator::Sub && Zero && Zero->isZero())
    return sumOf(*I->getOperand(1), Steps - 1).negative();
  if (I->getOpcode() == BinaryOperator::Xor && By == -1)
    return sumOf(*I->getOperand(0), Steps - 1).negative().plus(-1);
  const bool IsSum = I->getOpcode() == BinaryOperator::Add || I->getOpcode() == BinaryOperator::Sub;
  if (IsSum && By && staysNear(I->getOpcode(), *By))
    return sumOf(*I->getOperand(0), Steps - 1).plus(I->getOpcode() == BinaryOperator::Add ? *By : -*By);
  return {&V};
}

/// Whether \p A and \p B are the same whenever both are computed: also what is loaded twice with no write between.
static bool isSame(const llvm::Value *A, const llvm::Value *B, unsigned Steps = 8) {
  if (A == B)
    return true;
  const auto *First = dyn_cast<llvm::Instruction>(A), *Second = dyn_cast<llvm::Instruction>(B);
  if (!First || !Second || !Steps || !First->isSameOperationAs(Second) ||
      !llvm::all_of(llvm::zip_equal(First->operands(), Second->operands()), [&](const auto &Pair) {
        return isSame(std::get<0>(Pair).get(), std::get<1>(Pair).get(), Steps - 1);
      }))
    return false;
  if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(First))
    return true;
  const auto *Load = dyn_cast<llvm::LoadInst>(First);
  if (!Load || !Load->isSimple() || First->getParent() != Second->getParent())
    return false;
  if (Second->comesBefore(First))
    std::swap(First, Second);
  return llvm::none_of(llvm::make_range(First->getIterator(), Second->getIterator()),
                       [](const llvm::Instruction &I) { return I.mayWriteToMemory(); });
}

/// Whether \p Mask is ~\p Added.
static bool areComplements(const Sum &Added, const Sum &Mask) {
  const Sum Other = Added.negative().plus(-1);
  return Other.Times == Mask.Times && Other.Plus == Mask.Plus && isSame(Added.Base, Mask.Base);
}

/// The address that \p V is made of, by way of integers only.
static const llvm::Value *addressIn(const llvm::Value &V) {
  const auto *From = dyn_cast<llvm::PtrToIntOperator>(&V);
  return From && From->getPointerOperand()->getType()->isPointerTy() ? From->getPointerOperand() : nullptr;
}

/// p in `(p + n) & ~n`: which is p rounded, whatever n is.
static const llvm::Value *roundedUp(const BinaryOperator &And) {
  const Sum Whole = sumOf(*And.getOperand(0));
  const auto *I = dyn_cast<BinaryOperator>(Whole.Base);
  if (!I || I->getOpcode() != BinaryOperator::Add || Whole.Times != 1)
    return nullptr;
  const Sum Mask = sumOf(*And.getOperand(1));
  for (unsigned Side : {0, 1})
    if (const llvm::Value *Address = addressIn(*I->getOperand(Side)))
      if (areComplements(sumOf(*I->getOperand(1 - Side)).plus(Whole.Plus), Mask))
        return Address;
  return nullptr;
}

/// Whether \p I makes of an address, its \p Side operand, and of what is known only when the program runs, what may be
/// that address rounded.
static bool mayRound(const BinaryOperator &I, unsigned Side) {
  const unsigned Op = I.getOpcode();
  return Op == BinaryOperator::And || Op == BinaryOperator::Add || (Op == BinaryOperator::Sub && Side == 0);
}

static RoundedAddress rounded(const llvm::Value &V, unsigned Steps) {
  if (const llvm::Value *Address = addressIn(V))
    return {Address, {}};
  const auto *I = dyn_cast<BinaryOperator>(&V);
  if (!I || !Steps)
    return {};
  if (const std::optional<int64_t> By = constantIn(*I))
    return staysNear(I->getOpcode(), *By) ? rounded(*I->getOperand(0), Steps - 1) : RoundedAddress();
  if (I->getOpcode() == BinaryOperator::And)
    if (const llvm::Value *Address = roundedUp(*I))
      return {Address, {}};
  for (unsigned Side : {0, 1}) {
    RoundedAddress Result = mayRound(*I, Side) ? rounded(*I->getOperand(Side), Steps - 1) : RoundedAddress();
    if (!Result.Address)
      continue;
    Result.By.push_back(I->getOperand(1 - Side));
    return Result;
  }
  return {};
}

RoundedAddress mpishm::ir::addressRoundedIn(const llvm::Value &Number) {
  constexpr unsigned Most = 8; // of operators, one in the other
  return Number.getType()->isIntegerTy(64) ? rounded(Number, Most) : RoundedAddress();
}
