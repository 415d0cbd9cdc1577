// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Aggregates.h"
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
