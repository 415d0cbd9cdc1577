// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link/Classes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <optional>

using namespace mpishm;
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

/// See systemPart, of the class \p Name. Units that make addresses of objects of one of its bases need not know it.
/// Nothing of a class without virtual functions, which only such a one can have.
static std::optional<SystemPart> systemPartOf(const LinkedProgram &P, llvm::StringRef Name) {
  auto Known = P.SystemParts.find(Name);
  if (Known == P.SystemParts.end())
    return std::nullopt;
  SystemPart Result = Known->second;
  if (auto It = P.Classes.find(Name); It != P.Classes.end())
    for (const BaseClass &Base : It->second)
      if (std::optional<SystemPart> Of = systemPartOf(P, Base.Name))
        Result.Part = Result.Part && Of->Part ? std::max(Result.Part, Of->Part) : 0;
  return Result;
}

SystemPart mpishm::ir::systemPart(const LinkedProgram &P, uint32_t Variable, int64_t Point) {
  auto It = P.Tables.find({Variable, Point});
  if (It == P.Tables.end()) { // of a class whose functions the library has
    llvm::StringRef Name = P.Variables[Variable].Name;
    constexpr int64_t Usual = 16; // behind the distance to the beginning, and the type information
    const bool IsTable = Name.consume_front("_ZTV") && !P.Variables[Variable].IsDefined && Point == Usual;
    return IsTable ? systemPartOf(P, Name).value_or(SystemPart()) : SystemPart();
  }
  SystemPart Result;
  for (const ClassTable *Table : It->second) { // of each unit that has it, one
    const SystemPart Of = systemPartOf(P, Table->Class).value_or(SystemPart());
    if (Table->Offset != 0 || !Of.Part || (Result.Part && Result != Of))
      return {};
    Result = Of;
  }
  return Result;
}
