// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "constraints/Rounding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using llvm::BinaryOperator;
using llvm::dyn_cast;

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

const llvm::Value *mpishm::ir::addressRoundedIn(const llvm::Value &Number) {
  const llvm::Value *V = &Number;
  if (!V->getType()->isIntegerTy(64))
    return nullptr;
  while (const auto *I = dyn_cast<BinaryOperator>(V)) {
    const auto *By = dyn_cast<llvm::ConstantInt>(I->getOperand(1));
    if (!By || !staysNear(I->getOpcode(), By->getSExtValue()))
      return nullptr;
    V = I->getOperand(0);
  }
  const auto *From = dyn_cast<llvm::PtrToIntOperator>(V);
  return From && From->getPointerOperand()->getType()->isPointerTy() ? From->getPointerOperand() : nullptr;
}
