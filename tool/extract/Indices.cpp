// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which numbers counters and indices may be, as far as LLVM knows.

#include "extract/FunctionBuilder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace mpishm::ir;
using llvm::dyn_cast;
using llvm::isa;
using Kind = Constraint::Kind;

/// So many numbers are kept apart.
static constexpr uint64_t Few = 16;

/// The last number of \p Value, a loop's counter, for which what is in \p Block runs, behind where the loop ends;
/// nothing when that is not known.
static std::optional<int64_t> lastNumber(llvm::ScalarEvolution &Counts, const llvm::SCEVAddRecExpr &Value,
                                         const llvm::BasicBlock &Block) {
  const llvm::Loop &Of = *Value.getLoop();
  const llvm::BasicBlock *Header = Of.getHeader();
  if (!Value.isAffine() || !Of.isLoopExiting(Header) || !Of.contains(&Block) || &Block == Header)
    return std::nullopt;
  const auto *First = dyn_cast<llvm::SCEVConstant>(Value.getStart());
  const auto *Step = dyn_cast<llvm::SCEVConstant>(Value.getStepRecurrence(Counts));
  const auto *Times = dyn_cast<llvm::SCEVConstant>(Counts.getExitCount(&Of, Header));
  bool IsKnown = First && Step && Times && Times->getAPInt().ult(Few + 1) && !Times->isZero() &&
                 First->getAPInt().isSignedIntN(32) && Step->getAPInt().isSignedIntN(32);
  if (!IsKnown)
    return std::nullopt;
  return First->getAPInt().getSExtValue() +
         Step->getAPInt().getSExtValue() * (static_cast<int64_t>(Times->getAPInt().getZExtValue()) - 1);
}

/// The least and the greatest number that \p Index may be in \p Block, when they are few.
static std::optional<std::pair<int64_t, int64_t>> fewNumbers(llvm::ScalarEvolution &Counts, const llvm::Value &Index,
                                                             const llvm::BasicBlock &Block) {
  if (!Index.getType()->isIntegerTy() || Index.getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  const llvm::SCEV *Value = Counts.getSCEV(const_cast<llvm::Value *>(&Index));
  const llvm::ConstantRange Range = Counts.getSignedRange(Value);
  if (Range.isFullSet() || Range.isSignWrappedSet() || Range.isEmptySet() || Range.isSizeLargerThan(Few + 1))
    return std::nullopt;
  int64_t Least = Range.getSignedMin().getSExtValue(), Greatest = Range.getSignedMax().getSExtValue();
  if (const auto *Counter = dyn_cast<llvm::SCEVAddRecExpr>(Value))
    if (std::optional<int64_t> Last = lastNumber(Counts, *Counter, Block); Last && *Last >= Least && *Last <= Greatest)
      (Counts.isKnownNonNegative(Counter->getStepRecurrence(Counts)) ? Greatest : Least) = *Last;
  return std::pair(Least, Greatest);
}

/// \p Elements: of the array, where it is known to end.
Indices FunctionBuilder::indicesOf(const llvm::GEPOperator &E, const llvm::Value &Index,
                                   std::optional<int64_t> Elements) {
  const auto *At = dyn_cast<llvm::Instruction>(&E);
  std::optional<std::pair<int64_t, int64_t>> Known;
  if (At && Counts)
    Known = fewNumbers(*Counts, Index, *At->getParent());
  if (!Elements)
    return Known ? Indices{Known->first, Known->second} : Indices();
  Indices All{0, *Elements - 1};
  if (!Known || Known->first > *All.Greatest || Known->second < 0)
    return All;
  return {std::max<int64_t>(Known->first, 0), std::min(Known->second, *All.Greatest)};
}

/// A variable that counts a loop a few times, where it is known how many: each of its numbers. False for all others.
bool FunctionBuilder::counter(const llvm::Instruction &I) {
  if (!Counts || !I.getType()->isIntegerTy() || I.getType()->getIntegerBitWidth() > 64)
    return false;
  const llvm::SCEV *Value = Counts->getSCEV(const_cast<llvm::Instruction *>(&I));
  if (!isa<llvm::SCEVAddRecExpr>(Value))
    return false;
  llvm::ConstantRange Range = Counts->getSignedRange(Value);
  if (Range.isFullSet() || Range.isSignWrappedSet() || Range.isSizeLargerThan(Few))
    return false;
  for (llvm::APInt N = Range.getLower(); N != Range.getUpper(); ++N)
    number(node(&I), N.getSExtValue());
  for (const llvm::Value *V : I.operands()) // of a handle, it may begin with some bits
    add(Kind::Derive, node(&I), node(V), WideIndex);
  return true;
}
