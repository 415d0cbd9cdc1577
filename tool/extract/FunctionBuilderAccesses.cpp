// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reads and writes memory.

#include "extract/FunctionBuilder.h"
#include "lower/Lower.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

using namespace mpishm::ir;
using llvm::dyn_cast_or_null;
using Kind = Constraint::Kind;

/// By Clang's type-based alias information.
Access mpishm::ir::accessOf(const llvm::Instruction &I) {
  const llvm::MDNode *Tag = I.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!Tag || Tag->getNumOperands() < 2)
    return Access::Any;
  const auto *Type = dyn_cast_or_null<llvm::MDNode>(Tag->getOperand(1).get());
  const auto *Name = Type && Type->getNumOperands() ? dyn_cast_or_null<llvm::MDString>(Type->getOperand(0)) : nullptr;
  auto Is = llvm::StringSwitch<Access>(Name ? Name->getString() : "")
                .Cases("short", "int", "long", "long long", Access::Integer)
                .Case("any pointer", Access::Pointer)
                .Cases("float", "double", "long double", Access::Floating)
                .Default(Access::Any);
  bool IsLoose = Is != Access::Floating && I.getModule()->getNamedMetadata(mpishm::LooseTypesMark);
  return IsLoose ? Access::Any : Is;
}

/// Whether an object of the class that \p Type, of Clang's type-based alias information, is of may have a table of
/// virtual functions that it has from another class: nothing is where that would be.
static bool mayHaveTable(const llvm::MDNode &Type) {
  const llvm::MDNode *First = &Type;
  for (bool IsBase = false;; IsBase = true) {
    if (First->getNumOperands() < 3)
      return IsBase;
    const auto *Offset = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(First->getOperand(2));
    if (!Offset || !Offset->isZero())
      return IsBase && Offset;
    First = dyn_cast_or_null<llvm::MDNode>(First->getOperand(1).get());
    const auto *Name = First ? dyn_cast_or_null<llvm::MDString>(First->getOperand(0)) : nullptr;
    if (!Name || !Name->getString().starts_with("_ZTS"))
      return false;
  }
}

/// \p Address, by which \p I accesses memory: that of a member of a class leads to objects of that class. Who casts to
/// it what points to an object of another one may not do that, and compilers count on it.
Node FunctionBuilder::accessed(const llvm::Instruction &I, const llvm::Value *Address) {
  const llvm::MDNode *Tag = I.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!Tag || Tag->getNumOperands() < 3 || I.getModule()->getNamedMetadata(mpishm::LooseTypesMark))
    return node(Address);
  const auto *Type = dyn_cast_or_null<llvm::MDNode>(Tag->getOperand(0).get());
  const auto *Name = Type && Type->getNumOperands() ? dyn_cast_or_null<llvm::MDString>(Type->getOperand(0)) : nullptr;
  const auto *Offset = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(Tag->getOperand(2));
  llvm::StringRef Class = Name ? Name->getString() : "";
  if (!Offset || !Class.consume_front("_ZTS") || !mayHaveTable(*Type))
    return node(Address);
  Node Result = newNode(Address->getType());
  add(Kind::Member, Result, node(Address), Offset->getSExtValue()).Text = Unit.text(Class);
  return Result;
}

/// Whether \p I reads or writes memory that has a floating-point type. Memory of one allocator holds such numbers and
/// handles: the numbers are not followed one by one, so that what is read is any number.
static bool isFloating(const llvm::Instruction &I, const llvm::Type *Type) {
  return Type->isFloatingPointTy() && accessOf(I) == Access::Floating;
}

void FunctionBuilder::load(const llvm::LoadInst &I) {
  if (isFloating(I, I.getType())) {
    Node Bits = newNode(llvm::Type::getInt64Ty(I.getContext()));
    add(Kind::Load, Bits, accessed(I, I.getPointerOperand()), Layout.getTypeStoreSize(I.getType()), 0,
        static_cast<int64_t>(Access::Floating));
    add(Kind::BecomeNumber, NoNode, Bits).Text = Unit.text("is read as a floating-point number");
    return anyNumber(node(&I));
  }
  add(Kind::Load, node(&I), accessed(I, I.getPointerOperand()), Layout.getTypeStoreSize(I.getType()),
      I.getType()->isPointerTy(), static_cast<int64_t>(accessOf(I)));
}

/// Whether \p Address is that of a member of a FILE. (glibc and musl call the record so.)
static bool isInFile(const llvm::Value *Address) {
  const auto *Element = llvm::dyn_cast<llvm::GEPOperator>(Address);
  const auto *Record = Element ? llvm::dyn_cast<llvm::StructType>(Element->getSourceElementType()) : nullptr;
  return Record && Record->hasName() && Record->getName().starts_with("struct._IO_FILE");
}

/// Whether \p V comes from a member of a FILE: the next character's address, say, as the system's headers count it on.
static bool isOfFile(const llvm::Value *V) {
  const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V->stripInBoundsOffsets());
  return Load && isInFile(Load->getPointerOperand());
}

void FunctionBuilder::store(const llvm::StoreInst &I) {
  const llvm::Value *V = I.getValueOperand();
  Node Value = node(V);
  if (isFloating(I, V->getType())) {
    becomeNumber(V, "is stored as a floating-point number", /*OnlyWhole=*/false);
    Value = newNode(llvm::Type::getInt64Ty(V->getContext())); // which may be read as an integer
    anyNumber(Value);
  }
  if (isInFile(I.getPointerOperand()) && !isOfFile(V))
    escape(V, "is stored in a file of the library's"); // where no program has to write, but if it does, for the library
  add(Kind::Store, accessed(I, I.getPointerOperand()), Value, Layout.getTypeStoreSize(V->getType()), 0,
      static_cast<int64_t>(accessOf(I)));
}

void FunctionBuilder::readModifyWrite(const llvm::AtomicRMWInst &I) {
  int64_t Size = Layout.getTypeStoreSize(I.getType());
  Node Address = node(I.getPointerOperand()), Value = node(I.getValOperand());
  add(Kind::Load, node(&I), Address, Size);
  if (I.getOperation() != llvm::AtomicRMWInst::Xchg) {
    Value = newNode(I.getType());
    madeOf(I, Value);
    add(Kind::Derive, Value, node(&I));
  }
  add(Kind::Store, Address, Value, Size);
}

void FunctionBuilder::compareExchange(const llvm::AtomicCmpXchgInst &I) {
  int64_t Size = Layout.getTypeStoreSize(I.getNewValOperand()->getType());
  add(Kind::Load, node(&I), node(I.getPointerOperand()), Size);
  add(Kind::Store, node(I.getPointerOperand()), node(I.getNewValOperand()), Size);
  truth(node(&I)); // beside the value, whether it was exchanged
}
