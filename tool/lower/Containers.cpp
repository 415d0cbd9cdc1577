// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Containers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace mpishm;
using namespace llvm;

/// The name of \p T behind "struct." or "class.", without the number that tells it from others of that name.
static StringRef nameOf(const Type *T) {
  const auto *Record = dyn_cast<StructType>(T);
  StringRef Name = Record && Record->hasName() ? Record->getName() : "";
  auto [Begin, Number] = Name.rsplit('.');
  unsigned Unused = 0;
  if (!Begin.empty() && !Number.getAsInteger(10, Unused))
    Name = Begin;
  return Name.split('.').second;
}

/// In a hash table: where it keeps a hasher, other fields come before.
static std::optional<Head> headOfTable(const StructType &Table, unsigned Field) {
  unsigned Last = Table.getNumElements() - 1;
  if (nameOf(Table.getElementType(Field)) == "std::__detail::_Hash_node_base")
    return Head::BeforeFirst;
  bool IsBucket = Field == Last && Field > 0 && Table.getElementType(Last)->isPointerTy() &&
                  nameOf(Table.getElementType(Last - 1)) == "std::__detail::_Prime_rehash_policy";
  return IsBucket ? std::optional(Head::Bucket) : std::nullopt;
}

static std::optional<Head> headOf(const GetElementPtrInst &E) {
  const auto *Record = dyn_cast<StructType>(E.getSourceElementType());
  const auto *Field = E.getNumIndices() == 2 ? dyn_cast<ConstantInt>(E.getOperand(2)) : nullptr;
  if (!Record || !Field || E.getType()->isVectorTy())
    return std::nullopt;
  StringRef Name = nameOf(Record);
  if (Name == "std::_Hashtable")
    return headOfTable(*Record, Field->getZExtValue());
  if (!Field->isZero())
    return std::nullopt;
  if (Name == "std::_Rb_tree_header")
    return Head::Tree;
  bool IsList = Name.starts_with("std::__cxx11::_List_base<") && Name.ends_with("::_List_impl");
  return IsList ? std::optional(Head::List) : std::nullopt;
}

void mpishm::markHeads(Module &M) {
  Type *Address = PointerType::getUnqual(M.getContext()), *Number = Type::getInt32Ty(M.getContext());
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Place = dyn_cast<GetElementPtrInst>(&I);
      std::optional<Head> Is = Place ? headOf(*Place) : std::nullopt;
      if (!Is)
        continue;
      FunctionCallee Mark = M.getOrInsertFunction(HeadMark, Address, Address, Number);
      IRBuilder<> Builder(Place->getNextNode());
      CallInst *Marked = Builder.CreateCall(Mark, {Place, ConstantInt::get(Number, static_cast<unsigned>(*Is))});
      Marked->setDoesNotAccessMemory();
      Marked->setDoesNotThrow();
      Place->replaceUsesWithIf(Marked, [&](const Use &U) { return U.getUser() != Marked; });
    }
}
