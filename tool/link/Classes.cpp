// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link/Classes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

using namespace mpishm::ir;

bool mpishm::ir::hasTables(const LinkedProgram &P, llvm::StringRef Name) {
  auto It = P.External.find(("_ZTV" + llvm::Twine(Name)).str());
  // Of types that only one unit knows, each unit may have another.
  return It != P.External.end() && !It->second.IsFunction && !Name.contains("_GLOBAL__N_");
}

/// Whether an object of the class \p Is has, or may have, one of the class \p Name at \p Offset.
static bool mayHave(const LinkedProgram &P, llvm::StringRef Is, int64_t Offset, llvm::StringRef Name) {
  if (Is == Name && Offset == 0)
    return true;
  auto It = P.Classes.find(Is);
  return It == P.Classes.end() || llvm::any_of(It->second, [&](const BaseClass &Base) {
           return Base.IsVirtual || mayHave(P, Base.Name, Offset - Base.Offset, Name);
         });
}

/// The class \p Name, and all that it has.
static void addWithBases(const LinkedProgram &P, llvm::StringRef Name, llvm::StringSet<> &Classes) {
  if (auto It = P.Classes.find(Name); Classes.insert(Name).second && It != P.Classes.end())
    for (const BaseClass &Base : It->second)
      addWithBases(P, Base.Name, Classes);
}

/// Whether the classes \p A and \p B have one in common, so that a pointer to that may lead to either.
static bool areRelated(const LinkedProgram &P, llvm::StringRef A, llvm::StringRef B) {
  llvm::StringSet<> Of, Others;
  addWithBases(P, A, Of);
  addWithBases(P, B, Others);
  return llvm::any_of(Of, [&](const auto &Each) { return Others.contains(Each.first()); });
}

bool mpishm::ir::mayBe(const LinkedProgram &P, uint32_t Variable, int64_t Point, llvm::StringRef Name) {
  auto It = P.Tables.find({Variable, Point});
  return It == P.Tables.end() || llvm::any_of(It->second, [&](const ClassTable *Table) {
           return mayHave(P, Table->Class, Table->Offset, Name) || !areRelated(P, Table->Class, Name);
         });
}
