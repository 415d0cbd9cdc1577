// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Parts.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"

using namespace mpishm::ir;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Numbers or addresses of one type, one beside the other; without a Type whatever a union holds.
struct Run {
  int64_t Low = 0, High = 0;
  const llvm::Type *Type = nullptr;
  bool IsArray = false;
};

/// What a record consists of, in order.
class Runs {
public:
  explicit Runs(const llvm::DataLayout &Layout) : Layout(Layout) {}

  void add(llvm::Type *Type, int64_t At);
  /// All of one type that \p At is in.
  Run around(int64_t At) const;
  int64_t end() const { return All.empty() ? 0 : All.back().High; }
  bool hasArray() const {
    return llvm::any_of(All, [](const Run &R) { return R.IsArray; });
  }

private:
  void add(const Run &New);

  const llvm::DataLayout &Layout;
  llvm::SmallVector<Run, 16> All;
};

} // namespace

static llvm::Type *elementTypeOf(llvm::Type *Type) {
  while (auto *Array = dyn_cast<llvm::ArrayType>(Type))
    Type = Array->getElementType();
  return Type;
}

static bool isUnion(const llvm::Type *Type) {
  const auto *Record = dyn_cast<llvm::StructType>(Type);
  return Record && Record->hasName() && Record->getName().starts_with("union.");
}

void Runs::add(const Run &New) {
  bool GoesOn = !All.empty() && All.back().High == New.Low && All.back().Type == New.Type && New.Type;
  if (!GoesOn)
    return All.push_back(New);
  All.back().High = New.High;
  All.back().IsArray |= New.IsArray;
}

void Runs::add(llvm::Type *Type, int64_t At) {
  int64_t Size = Layout.getTypeAllocSize(Type).getFixedValue();
  auto *Record = dyn_cast<llvm::StructType>(Type);
  auto *Array = dyn_cast<llvm::ArrayType>(Type);
  if (isUnion(Type))
    return add({At, At + Size, nullptr, true});
  if (Record) {
    const llvm::StructLayout *Fields = Layout.getStructLayout(Record);
    for (unsigned I = 0; I < Record->getNumElements(); ++I)
      add(Record->getElementType(I), At + static_cast<int64_t>(Fields->getElementOffset(I)));
    return;
  }
  if (!Array || !isa<llvm::StructType>(elementTypeOf(Type)))
    return add({At, At + Size, elementTypeOf(Type), Array != nullptr});
  Runs Each(Layout);
  Each.add(Array->getElementType(), 0);
  int64_t Length = Layout.getTypeAllocSize(Array->getElementType()).getFixedValue();
  if (Each.All.size() == 1 && Each.All[0].Low == 0 && Each.All[0].High == Length)
    return add({At, At + Size, Each.All[0].Type, true});
  for (int64_t Next : {At, At + Size - Length}) // what is between the first and the last goes on from nothing outside
    for (const Run &R : Each.All)
      if (Next == At || Size > Length)
        add({Next + R.Low, Next + R.High, R.Type, true});
}

Run Runs::around(int64_t At) const {
  size_t Here = 0;
  while (Here < All.size() && All[Here].High <= At)
    ++Here;
  if (Here == All.size() || All[Here].Low > At)
    return {At, At, nullptr, false};
  Run Result = All[Here];
  auto IsSame = [&](const Run &R) { return !R.Type || R.Type == Result.Type; };
  for (size_t I = Here + 1; I < All.size() && All[I].Low == Result.High && IsSame(All[I]); ++I)
    Result.High = All[I].High;
  for (size_t I = Here; I > 0 && All[I - 1].High == Result.Low && IsSame(All[I - 1]); --I)
    Result.Low = All[I - 1].Low;
  return Result;
}

/// Whether a function is given the address: of one element, or of many, as it is told.
static bool isHandedOver(const llvm::GEPOperator &E) {
  return llvm::any_of(E.users(), [&](const llvm::User *U) { return isa<llvm::CallBase>(U); });
}

std::optional<Part> mpishm::ir::partOf(const llvm::GEPOperator &E, const llvm::DataLayout &Layout) {
  auto *Record = dyn_cast<llvm::StructType>(E.getSourceElementType());
  const auto *First = dyn_cast<llvm::ConstantInt>(E.idx_begin()->get());
  if (!Record || !First || !First->isZero() || !E.hasAllConstantIndices() || E.getNumIndices() < 2)
    return std::nullopt;
  unsigned Index = llvm::cast<llvm::ConstantInt>(E.getOperand(2))->getZExtValue();
  llvm::Type *Field = Record->getElementType(Index), *Element = elementTypeOf(Field);
  int64_t At = Layout.getStructLayout(Record)->getElementOffset(Index);
  int64_t Whole = Layout.getTypeAllocSize(Record).getFixedValue();
  if (isa<llvm::StructType>(Field)) {
    Runs Inner(Layout);
    Inner.add(Field, 0);
    if (E.getNumIndices() > 2 || !Inner.hasArray())
      return std::nullopt;
    return Part{At, At + static_cast<int64_t>(Layout.getTypeAllocSize(Field).getFixedValue()), Whole, 0};
  }
  const bool IsNumber = Field->isIntegerTy() || Field->isFloatingPointTy();
  if ((!isa<llvm::ArrayType>(Field) && !(IsNumber && isHandedOver(E))) || isa<llvm::StructType>(Element) ||
      Element->isIntegerTy(8))
    return std::nullopt;
  Runs All(Layout);
  All.add(Record, 0);
  Run Around = All.around(At);
  bool IsLast = Index + 1 == Record->getNumElements() || Around.High == All.end();
  int64_t Length = Layout.getTypeAllocSize(Element).getFixedValue();
  return Part{Around.Low, IsLast ? Whole : Around.High, Whole, Length};
}
