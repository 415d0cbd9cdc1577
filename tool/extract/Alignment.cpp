// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Alignment.h"
#include "extract/Rounding.h"
#include "lower/Marks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace mpishm::ir;
using llvm::dyn_cast;
using llvm::isa;

/// Whether \p Call makes memory that nobody else has an address of, and of a length that is not known.
static bool makesMemory(const llvm::CallBase &Call) {
  const llvm::Function *Callee = Call.getCalledFunction();
  const bool Makes = Callee && llvm::StringSwitch<bool>(functionOfSymbol(Callee->getName()))
                                   .Cases("malloc", "calloc", "MPISHM_Malloc", "MPISHM_Calloc", true)
                                   .Cases("_Znwm", "_Znam", true)
                                   .Default(false);
  return Makes && !llvm::all_of(Call.args(), [](const llvm::Use &Length) { return isa<llvm::Constant>(Length); });
}

/// What \p Address is a known number of bytes from.
static const llvm::Value *baseOf(const llvm::Value &Address, const llvm::DataLayout &Layout) {
  int64_t Distance = 0;
  return llvm::GetPointerBaseWithConstantOffset(&Address, Distance, Layout);
}

namespace {

/// What a number is computed of.
class Leaves {
public:
  Leaves(const llvm::CallBase &Made, const llvm::DataLayout &Types) : Memory(Made), Layout(Types) {}

  void add(const llvm::Value &Number, unsigned Depth = 12) {
    if (!Seen.insert(&Number).second || isa<llvm::ConstantInt>(Number))
      return;
    const auto *I = dyn_cast<llvm::Instruction>(&Number);
    if (const auto *From = dyn_cast<llvm::PtrToIntInst>(&Number); From &&
                                                                  From->getPointerOperand()->getType()->isPointerTy() &&
                                                                  baseOf(*From->getPointerOperand(), Layout) == &Memory)
      OfMemory = true;
    else if (I && Depth && (isa<llvm::BinaryOperator>(I) || (I->isCast() && I->getType()->isIntegerTy())) &&
             I->getOperand(0)->getType()->isIntegerTy())
      for (const llvm::Value *Operand : I->operands())
        add(*Operand, Depth - 1);
    else
      Others.push_back(&Number);
  }

  bool OfMemory = false; ///< the memory's own address is among them
  llvm::SmallVector<const llvm::Value *, 4> Others;

private:
  const llvm::CallBase &Memory;
  const llvm::DataLayout &Layout;
  llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
};

} // namespace

/// The address in the memory of malloc's like that \p I computes of that memory's address as a number, if it does.
static AlignedAddress alignedAt(const llvm::Instruction &I, const llvm::DataLayout &Layout) {
  const llvm::Value *From = nullptr, *Number = nullptr;
  if (const auto *Cast = dyn_cast<llvm::IntToPtrInst>(&I)) {
    Number = Cast->getOperand(0);
    From = addressRoundedIn(*Number).Address;
  } else if (const auto *Place = dyn_cast<llvm::GetElementPtrInst>(&I);
             Place && Place->getNumIndices() == 1 && Place->getSourceElementType()->isIntegerTy(8)) {
    Number = Place->getOperand(1);
    From = Place->getPointerOperand();
  }
  if (!From || !From->getType()->isPointerTy() || !Number->getType()->isIntegerTy())
    return {};
  const auto *Made = dyn_cast<llvm::CallBase>(baseOf(*From, Layout));
  if (!Made || !makesMemory(*Made))
    return {};
  Leaves Of(*Made, Layout);
  Of.add(*Number);
  return Of.OfMemory ? AlignedAddress{Made, {&I}, std::move(Of.Others)} : AlignedAddress();
}

/// Whether \p I may be run twice before \p Made, which dominates it, is again.
static bool mayRunAgain(const llvm::Instruction &I, const llvm::CallBase &Made) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Seen;
  llvm::SmallVector<const llvm::BasicBlock *, 16> Next(llvm::successors(I.getParent()));
  while (!Next.empty()) {
    const llvm::BasicBlock *Block = Next.pop_back_val();
    if (Block == Made.getParent() || !Seen.insert(Block).second)
      continue;
    if (Block == I.getParent())
      return true;
    llvm::append_range(Next, llvm::successors(Block));
  }
  return false;
}

/// Whether the number that makes the address \p I may be computed twice before \p Made is called again.
static bool mayChange(const llvm::Instruction &I, const llvm::CallBase &Made) {
  const auto *Number = isa<llvm::IntToPtrInst>(I) ? dyn_cast<llvm::Instruction>(I.getOperand(0)) : nullptr;
  return mayRunAgain(Number ? *Number : I, Made);
}

static bool areSame(const llvm::Instruction &A, const llvm::Instruction &B) {
  return A.isSameOperationAs(&B) && std::equal(A.value_op_begin(), A.value_op_end(), B.value_op_begin());
}

std::vector<AlignedAddress> mpishm::ir::alignedIn(const llvm::Function &Body) {
  std::vector<AlignedAddress> Result;
  if (Body.callsFunctionThatReturnsTwice()) // what is behind such a call may be run again
    return Result;
  llvm::DenseMap<const llvm::CallBase *, size_t> Number;
  llvm::SmallPtrSet<const llvm::CallBase *, 4> Refused;
  for (const llvm::Instruction &I : llvm::instructions(Body)) {
    AlignedAddress Each = alignedAt(I, Body.getParent()->getDataLayout());
    if (!Each.Made)
      continue;
    auto [It, New] = Number.try_emplace(Each.Made, Result.size());
    if (mayChange(I, *Each.Made) || (!New && !areSame(*Result[It->second].Addresses.front(), I)))
      Refused.insert(Each.Made);
    else if (!New)
      Result[It->second].Addresses.push_back(&I);
    if (New)
      Result.push_back(std::move(Each));
  }
  llvm::erase_if(Result, [&](const AlignedAddress &Each) { return Refused.contains(Each.Made); });
  return Result;
}
