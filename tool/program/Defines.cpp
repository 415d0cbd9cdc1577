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
  bool Others = Unit.MainFile != P.File || llvm::is_contained(Unit.Undefined, P.Name);
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

/// Whether a #define before the lines of \p C and an #undef behind them would concern nothing but this call.
static bool standsAlone(const Call &C, const UnitFacts &Unit) {
  auto IsInLines = [&](const Place &At) {
    return At.File == C.Name.File && At.Offset >= C.Lines->Begin && At.Offset < C.Lines->End;
  };
  return C.Edit == Editability::Printed && C.Lines && C.Qualifier.empty() && C.Name == C.Token &&
         llvm::all_of(Unit.Calls,
                      [&](const Call &Other) {
                        return Other.Spelled != C.Spelled || !IsInLines(Other.Name) ||
                               (Other.Token == C.Token && Other.Edit == C.Edit && Other.Lines &&
                                Other.Lines->Begin == C.Lines->Begin && Other.Lines->End == C.Lines->End);
                      }) &&
         llvm::none_of(Unit.Uses, [&](const FunctionUse &U) { return U.Function == C.Function && IsInLines(U.Where); });
}

/// Whether \p C is replaced by a #define that an earlier run has made for all of its file.
static bool wasDefined(const Call &C, const UnitFacts &Unit) {
  return C.isRewritten() && C.CauseName == C.Function && !llvm::is_contained(Unit.Undefined, C.Function);
}

/// Names that only lines of their own can replace in some file, and can in all: an #undef ends what a file defines.
static std::set<std::string> findSurrounded(const std::vector<UnitFacts> &Units,
                                            const std::map<Printed, Place> &First) {
  std::set<std::string> Result, Never;
  for (const UnitFacts &Unit : Units)
    for (const Call &C : Unit.Calls)
      if (wasDefined(C, Unit))
        Never.insert(C.Function);
      else if (mustKeepText(C)) {
        if (!First.count({C.Token.File, C.Spelled}))
          Result.insert(C.Spelled);
        if (!standsAlone(C, Unit))
          Never.insert(C.Spelled);
      }
  std::erase_if(Result, [&](const std::string &Name) { return Never.count(Name); });
  return Result;
}

/// The calls in the same places as those that are replaced in lines of their own, as another unit sees them.
static void surround(std::vector<UnitFacts> &Units, const std::set<std::string> &Names) {
  std::map<Place, unsigned> Others; // how many units see another call there
  for (const UnitFacts &Unit : Units)
    for (const Call &C : Unit.Calls)
      Others[C.Token] += !(Names.count(C.Spelled) && C.Edit == Editability::Printed);
  for (UnitFacts &Unit : Units)
    for (Call &C : Unit.Calls)
      if (Names.count(C.Spelled) && C.Edit == Editability::Printed && Others[C.Token] == 0)
        C.Edit = Editability::Editable;
      else
        C.Lines.reset();
}

/// Each name in a file that a #define of its own replaces, with the first place where it is called.
static std::map<Printed, Place> findFirst(const std::vector<UnitFacts> &Units) {
  std::map<Printed, Place> First;
  for (const UnitFacts &Unit : Units)
    for (const Call &C : Unit.Calls)
      if (mustKeepText(C))
        First.try_emplace({C.Token.File, C.Spelled}, C.Token);
  std::erase_if(First, [&](const auto &Each) {
    return llvm::any_of(Units, [&](const UnitFacts &Unit) { return !canBeDefined(Each.first, Unit); });
  });
  return First;
}

void mpishm::findDefined(std::vector<UnitFacts> &Units) {
  std::map<Printed, Place> First = findFirst(Units);
  std::set<std::string> Surrounded = findSurrounded(Units, First);
  std::erase_if(First, [&](const auto &Each) { return Surrounded.count(Each.first.Name); });
  surround(Units, Surrounded);
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
