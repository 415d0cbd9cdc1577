// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Defines.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>
#include <string>

using namespace mpishm;

namespace {

/// A name, and the file in which a macro prints it or pastes it together.
struct Printed {
  std::string File, Name;
  bool operator<(const Printed &Other) const { return std::tie(File, Name) < std::tie(Other.File, Other.Name); }
  bool has(const Call &C) const { return C.Spelled == Name && C.Token.File == File; }
};

} // namespace

static bool canBeDefined(const Call &C) {
  return C.Qualifier.empty() &&
         (C.Edit == Editability::Editable || C.Edit == Editability::MacroDefinition || mustKeepText(C));
}

static bool canBeDefined(const Printed &P, const UnitFacts &Unit) {
  std::set<Place> Calls;
  bool Others = Unit.MainFile != P.File;
  for (const Call &C : Unit.Calls)
    if (P.has(C))
      Calls.insert(C.Token);
    else // also if it is rewritten by now: else a second run would decide otherwise
      Others |= C.Spelled == P.Name || (C.Function == P.Name && C.Token.File != P.File && C.isRewritten());
  // The file may be that of several units, of which one has no such call.
  if (Calls.empty() && Unit.MainFile != P.File)
    return true;
  return (Calls.empty() || !Others) &&
         llvm::all_of(Unit.Calls, [&](const Call &C) { return !P.has(C) || canBeDefined(C); }) &&
         llvm::all_of(Unit.Names, [&](const Mention &M) { return M.Function != P.Name || Calls.count(M.Where); });
}

void mpishm::findDefined(std::vector<UnitFacts> &Units) {
  std::map<Printed, Place> First;
  for (const UnitFacts &Unit : Units)
    for (const Call &C : Unit.Calls)
      if (mustKeepText(C))
        First.try_emplace({C.Token.File, C.Spelled}, C.Token);
  std::erase_if(First, [&](const auto &Each) {
    return llvm::any_of(Units, [&](const UnitFacts &Unit) { return !canBeDefined(Each.first, Unit); });
  });
  for (const UnitFacts &Unit : Units)
    for (const Call &C : Unit.Calls)
      if (auto It = First.find({C.Token.File, C.Spelled}); It != First.end())
        It->second = std::min(It->second, C.Token);
  for (UnitFacts &Unit : Units)
    for (Call &C : Unit.Calls)
      if (auto It = First.find({C.Token.File, C.Spelled}); It != First.end()) {
        C.Edit = Editability::MacroDefinition;
        C.Token = It->second;
        C.Defined = true;
      }
}
