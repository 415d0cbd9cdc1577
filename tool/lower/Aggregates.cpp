// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Aggregates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace mpishm;
using namespace llvm;

using Accesses = SmallVector<Instruction *, 16>;

static StructType *structOf(Type *T) {
  auto *Struct = dyn_cast<StructType>(T);
  return Struct && Struct->getNumElements() && !Struct->containsScalableVectorType() ? Struct : nullptr;
}

static void splitLoad(LoadInst &I, StructType &Struct, Accesses &Again) {
  IRBuilder<> Builder(&I);
  Value *Whole = PoisonValue::get(&Struct);
  for (unsigned Field = 0; Field < Struct.getNumElements(); ++Field) {
    Value *Address = Builder.CreateStructGEP(&Struct, I.getPointerOperand(), Field);
    LoadInst *Part = Builder.CreateLoad(Struct.getElementType(Field), Address);
    Again.push_back(Part);
    Whole = Builder.CreateInsertValue(Whole, Part, Field);
  }
  I.replaceAllUsesWith(Whole);
  I.eraseFromParent();
}

static void splitStore(StoreInst &I, StructType &Struct, Accesses &Again) {
  IRBuilder<> Builder(&I);
  for (unsigned Field = 0; Field < Struct.getNumElements(); ++Field) {
    Value *Part = Builder.CreateExtractValue(I.getValueOperand(), Field);
    Value *Address = Builder.CreateStructGEP(&Struct, I.getPointerOperand(), Field);
    Again.push_back(Builder.CreateStore(Part, Address));
  }
  I.eraseFromParent();
}

void mpishm::splitAggregates(Module &M) {
  for (Function &F : M) {
    Accesses Left;
    for (Instruction &I : instructions(F))
      Left.push_back(&I);
    while (!Left.empty()) {
      Instruction *I = Left.pop_back_val();
      if (auto *Load = dyn_cast<LoadInst>(I); Load && Load->isSimple()) {
        if (StructType *Struct = structOf(Load->getType()))
          splitLoad(*Load, *Struct, Left);
      } else if (auto *Store = dyn_cast<StoreInst>(I); Store && Store->isSimple()) {
        if (StructType *Struct = structOf(Store->getValueOperand()->getType()))
          splitStore(*Store, *Struct, Left);
      }
    }
  }
}

/// The array that \p V is the address of an element of, when that is a whole field of a record. Rows of matrices are
/// not taken for arrays: programs go from one to the next.
static GetElementPtrInst *elementOfField(Value *V) {
  auto *Element = dyn_cast<GetElementPtrInst>(V);
  if (!Element || Element->getNumIndices() != 2 || !isa<ArrayType>(Element->getSourceElementType()))
    return nullptr;
  const auto *First = dyn_cast<ConstantInt>(Element->getOperand(1));
  const auto *Field = dyn_cast<GetElementPtrInst>(Element->getPointerOperand());
  bool IsField = Field && Field->getNumIndices() > 1 && isa<StructType>(Field->getSourceElementType()) &&
                 Field->getResultElementType() == Element->getSourceElementType();
  return IsField && First && First->isZero() ? Element : nullptr;
}

void mpishm::keepArrays(Module &M) {
  for (Function &F : M)
    for (Instruction &I : llvm::make_early_inc_range(instructions(F))) {
      auto *Sum = dyn_cast<GetElementPtrInst>(&I);
      if (!Sum || Sum->getNumIndices() != 1 || !Sum->isInBounds() || Sum->getType()->isVectorTy())
        continue;
      GetElementPtrInst *From = elementOfField(Sum->getPointerOperand());
      if (!From || From->getResultElementType() != Sum->getSourceElementType() ||
          From->getOperand(2)->getType() != Sum->getOperand(1)->getType())
        continue;
      IRBuilder<> Builder(Sum);
      Value *Index = Builder.CreateNSWAdd(From->getOperand(2), Sum->getOperand(1));
      Value *Whole = Builder.CreateInBoundsGEP(From->getSourceElementType(), From->getPointerOperand(),
                                               {From->getOperand(1), Index});
      Sum->replaceAllUsesWith(Whole);
      Sum->eraseFromParent();
    }
}
