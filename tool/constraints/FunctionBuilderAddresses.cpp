// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables, and addresses that are computed from others.

#include "constraints/FunctionBuilder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include <numeric>

using namespace mpishm;
using namespace mpishm::ir;
using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;
using Kind = Constraint::Kind;

/// Whether \p Type is std::string, of either form that libstdc++ has, or another instance of its template.
static bool isString(const llvm::Type *Type) {
  const auto *Record = dyn_cast<llvm::StructType>(Type);
  llvm::StringRef Name = Record && Record->hasName() ? Record->getName() : "";
  return Name.consume_front("class.std::") && (Name.consume_front("__cxx11::"), Name.consume_front("basic_string")) &&
         (Name.empty() || Name.front() == '.');
}

/// Whether \p E is where a std::string holds a short text in itself.
static bool isOwnText(const llvm::GEPOperator &E) {
  const auto *Member = E.getNumIndices() < 2 ? nullptr : dyn_cast<llvm::ConstantInt>(E.getOperand(2));
  return isString(E.getSourceElementType()) && Member && Member->equalsInt(2);
}

void FunctionBuilder::variable(const llvm::AllocaInst &I) {
  Object O;
  O.Name = I.getName().split(".addr").first.split(".sroa").first.str();
  if (std::optional<llvm::TypeSize> Size = I.getAllocationSize(Layout); Size && !Size->isScalable())
    O.Size = Size->getFixedValue();
  O.IsString = isString(I.getAllocatedType());
  const llvm::DISubprogram *Source = I.getFunction()->getSubprogram();
  O.Where = Source ? Unit.line(Source->getFile(), Source->getLine()) : Unit.line(nullptr);
  F.Objects.push_back(std::move(O));
  add(Kind::LocalAddress, node(&I), NoNode, F.Objects.size() - 1);
}

/// The number that \p E adds to an address as bytes, when that is all: so a pointer to a member function says where in
/// an object the part is that the function is of.
static const llvm::Value *bytesAdded(const llvm::GEPOperator &E, const llvm::DataLayout &Layout) {
  const llvm::Value *Index = E.getNumIndices() == 1 ? E.idx_begin()->get() : nullptr;
  bool Bytes = Index && Index->getType()->isIntegerTy(64) && !isa<llvm::Constant>(Index) &&
               Layout.getTypeAllocSize(E.getSourceElementType()) == llvm::TypeSize::getFixed(1);
  return Bytes ? Index : nullptr;
}

/// Where in its virtual table an object says where its virtual base is, when that is what \p Bytes is of the object at
/// \p Address.
static std::optional<int64_t> virtualBaseSlot(const llvm::Value *Bytes, const llvm::Value *Address,
                                              const llvm::DataLayout &Layout) {
  const auto *Number = dyn_cast<llvm::LoadInst>(Bytes);
  const auto *Slot = Number ? dyn_cast<llvm::GEPOperator>(Number->getPointerOperand()) : nullptr;
  const auto *Table = Slot ? dyn_cast<llvm::LoadInst>(Slot->getPointerOperand()) : nullptr;
  llvm::APInt Offset(64, 0);
  bool IsOfObject = Table && Table->getType()->isPointerTy() && Table->getPointerOperand() == Address;
  if (!IsOfObject || !Slot->accumulateConstantOffset(Layout, Offset))
    return std::nullopt;
  return Offset.getSExtValue();
}

void FunctionBuilder::offset(const llvm::GEPOperator &E, Node To) {
  if (E.getType()->isVectorTy())
    return madeOf(E, To);
  if (isOwnText(E))
    return add(Kind::OwnText, To), void();
  if (const llvm::Value *Bytes = bytesAdded(E, Layout)) {
    if (std::optional<int64_t> Slot = virtualBaseSlot(Bytes, E.getPointerOperand(), Layout))
      return add(Kind::VirtualBase, To, node(E.getPointerOperand()), *Slot), void();
    Node First = node(E.getPointerOperand()), Second = node(Bytes);
    add(Kind::Binary, To, First, static_cast<int64_t>(Operation::Add) + MayWrap, 64).Second = Second;
    return;
  }
  int64_t Fixed = 0, Stride = 0, Extent = 0;
  const llvm::Type *Before = nullptr;
  for (auto It = llvm::gep_type_begin(E), End = llvm::gep_type_end(E); It != End; ++It) {
    const llvm::Type *Outer = Before;
    Before = It.getIndexedType();
    const auto *Index = dyn_cast<llvm::ConstantInt>(It.getOperand());
    if (llvm::StructType *Struct = It.getStructTypeOrNull()) {
      Fixed += Layout.getStructLayout(Struct)->getElementOffset(Index->getZExtValue());
      continue;
    }
    int64_t Size = It.getSequentialElementStride(Layout);
    if (Index) {
      Fixed += Index->getSExtValue() * Size;
      continue;
    }
    add(Kind::Derive, To, node(It.getOperand()), 1);
    Stride = std::gcd(Stride, Size);
    // An index of an array stays in it; an array of one element may be the first of more, at the end of a record.
    const auto *Array = dyn_cast_or_null<llvm::ArrayType>(Outer);
    bool Bounded = Array && Array->getNumElements() > 1 && Extent != Unknown;
    Extent = Bounded ? Extent + static_cast<int64_t>(Array->getNumElements() - 1) * Size : Unknown;
  }
  add(Kind::Offset, To, node(E.getPointerOperand()), Fixed, Stride, Extent);
}
