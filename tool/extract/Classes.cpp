// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Classes.h"
#include "llvm/IR/Constants.h"

using namespace mpishm::ir;
using llvm::dyn_cast;

/// The class whose type information \p C is the address of.
static std::optional<llvm::StringRef> classOf(const llvm::Constant *C) {
  const auto *Info = C ? dyn_cast<llvm::GlobalVariable>(C->stripPointerCasts()) : nullptr;
  llvm::StringRef Name = Info ? Info->getName() : "";
  return Name.consume_front("_ZTI") ? std::optional(Name) : std::nullopt;
}

/// The classes that \p Info says that its own has. Nothing where it is not of a kind that is known.
static std::optional<std::vector<BaseClass>> basesOf(const llvm::ConstantStruct &Info) {
  if (Info.getNumOperands() < 2)
    return std::nullopt;
  const auto *Kind = dyn_cast<llvm::GlobalVariable>(Info.getOperand(0)->stripInBoundsOffsets());
  llvm::StringRef Is = Kind ? Kind->getName() : "";
  std::vector<BaseClass> Result;
  if (Is == "_ZTVN10__cxxabiv117__class_type_infoE" && Info.getNumOperands() == 2)
    return Result;
  bool IsSingle = Is == "_ZTVN10__cxxabiv120__si_class_type_infoE" && Info.getNumOperands() == 3;
  if (!IsSingle && (Is != "_ZTVN10__cxxabiv121__vmi_class_type_infoE" || Info.getNumOperands() < 4))
    return std::nullopt;
  for (unsigned I = IsSingle ? 2 : 4; I < Info.getNumOperands(); I += 2) {
    std::optional<llvm::StringRef> Name = classOf(Info.getOperand(I));
    const auto *Place =
        IsSingle || I + 1 == Info.getNumOperands() ? nullptr : dyn_cast<llvm::ConstantInt>(Info.getOperand(I + 1));
    if (!Name || (!IsSingle && !Place))
      return std::nullopt;
    int64_t How = Place ? Place->getSExtValue() : 0;
    Result.push_back({Name->str(), How >> 8, (How & 1) != 0});
  }
  return Result;
}

/// The number that stands as an address in a table.
static std::optional<int64_t> numberOf(const llvm::Constant *C) {
  if (C->isNullValue())
    return 0;
  const auto *Made = dyn_cast<llvm::ConstantExpr>(C);
  const auto *Number = Made && Made->isCast() ? dyn_cast<llvm::ConstantInt>(Made->getOperand(0)) : nullptr;
  return Number ? std::optional(Number->getSExtValue()) : std::nullopt;
}

/// In each part of \p Table, the functions stand behind the type information of the whole object, and that behind the
/// distance from the part of the object to its beginning.
static void addTables(const llvm::GlobalVariable &Table, UnitBuilder &Builder, Unit &Result) {
  const auto *Parts = dyn_cast<llvm::ConstantStruct>(Table.getInitializer());
  if (!Parts)
    return;
  const llvm::DataLayout &Layout = Builder.module().getDataLayout();
  const llvm::StructLayout *Places = Layout.getStructLayout(Parts->getType());
  for (unsigned P = 0; P < Parts->getNumOperands(); ++P) {
    const auto *Part = dyn_cast<llvm::ConstantArray>(Parts->getOperand(P));
    for (unsigned I = 1; Part && I < Part->getNumOperands(); ++I)
      if (std::optional<llvm::StringRef> Class = classOf(Part->getOperand(I))) {
        int64_t Point = Places->getElementOffset(P) + (I + 1ULL) * Layout.getPointerSize();
        if (std::optional<int64_t> Top = numberOf(Part->getOperand(I - 1)))
          Result.Tables.push_back({Builder.symbol(Table), Point, Class->str(), -*Top});
        break;
      }
  }
}

void mpishm::ir::addClasses(const llvm::Module &M, UnitBuilder &Builder, Unit &Result) {
  for (const llvm::GlobalVariable &G : M.globals()) {
    llvm::StringRef Name = G.getName();
    if (!G.hasInitializer())
      continue;
    if (Name.starts_with("_ZTV"))
      addTables(G, Builder, Result);
    if (const auto *Info = dyn_cast<llvm::ConstantStruct>(G.getInitializer()); Info && Name.consume_front("_ZTI"))
      if (std::optional<std::vector<BaseClass>> Bases = basesOf(*Info))
        Result.Classes.try_emplace(Name.str(), std::move(*Bases));
  }
}
