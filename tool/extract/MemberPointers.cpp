// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/MemberPointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm::PatternMatch;

/// Whether \p V is called wherever it is used.
static bool isOnlyCalled(const llvm::Value &V) {
  return llvm::all_of(V.uses(), [](const llvm::Use &U) {
    const auto *Call = llvm::dyn_cast<llvm::CallBase>(U.getUser());
    return Call && Call->isCallee(&U);
  });
}

/// Whether \p V, less one, is an offset in a table of virtual functions. Sanitizers leave such alone: no program writes
/// it by itself.
static bool isOffsetInTable(const llvm::User &V, const llvm::Value *Pointer) {
  auto IsPlace = [](const llvm::User *Each) {
    return llvm::isa<llvm::GetElementPtrInst>(Each) &&
           llvm::cast<llvm::Instruction>(Each)->getMetadata(llvm::LLVMContext::MD_nosanitize);
  };
  return match(&V, m_Sub(m_Specific(Pointer), m_One())) && llvm::any_of(V.users(), IsPlace);
}

/// Whether it is asked of \p Pointer if it is odd.
static bool isAskedWhichKind(const llvm::Value *Pointer) {
  return llvm::any_of(Pointer->users(),
                      [&](const llvm::User *Each) { return match(Each, m_And(m_Specific(Pointer), m_One())); });
}

const llvm::Value *mpishm::ir::virtualMemberFunction(const llvm::Instruction &I) {
  const auto *Place = llvm::dyn_cast<llvm::GetElementPtrInst>(&I);
  if (!Place || Place->getNumIndices() != 1 || !Place->getSourceElementType()->isIntegerTy(8))
    return nullptr;
  const llvm::Value *Offset = Place->getOperand(1), *Pointer = nullptr;
  const auto *Less = llvm::dyn_cast<llvm::User>(Offset);
  bool IsOne = match(Offset, m_Sub(m_Value(Pointer), m_One())) && isOffsetInTable(*Less, Pointer) &&
               Place->getMetadata(llvm::LLVMContext::MD_nosanitize) && isAskedWhichKind(Pointer);
  return IsOne ? Pointer : nullptr;
}

bool mpishm::ir::isMemberFunctionAddress(const llvm::Instruction &I) {
  if (!llvm::isa<llvm::IntToPtrInst>(I))
    return false;
  const llvm::Value *Pointer = I.getOperand(0);
  auto IsCalled = [](const llvm::User *Each) { return llvm::isa<llvm::PHINode>(Each) && isOnlyCalled(*Each); };
  return llvm::all_of(I.users(), IsCalled) &&
         llvm::any_of(Pointer->users(), [&](const llvm::User *Each) { return isOffsetInTable(*Each, Pointer); }) &&
         isAskedWhichKind(Pointer);
}
