// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/ZeroCopy.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

/// Why \p S, of \p Unit, is not the same in all units that read its file; empty: it is.
static std::string whyDifferent(const PackedSend &S, const UnitFacts &Unit, const std::vector<UnitFacts> &Units) {
  for (const UnitFacts &Other : Units) {
    if (Other.MainFile == Unit.MainFile && !llvm::is_contained(Other.Packed, S))
      return "its file is compiled in several ways";
    if (Other.MainFile != Unit.MainFile && llvm::is_contained(Other.Files, Unit.MainFile))
      return "its file is included by another";
  }
  return "";
}

std::vector<PackedOfUnit> mpishm::packedSends(const std::vector<UnitFacts> &Units) {
  std::map<Place, PackedOfUnit> Found;
  for (const UnitFacts &Unit : Units)
    for (const PackedSend &S : Unit.Packed) {
      auto [It, New] = Found.try_emplace(S.Send, S, Unit.MainFile);
      if (std::string Why = whyDifferent(S, Unit, Units); !Why.empty())
        It->second.first.Refused = Why;
    }
  std::vector<PackedOfUnit> Result;
  Result.reserve(Found.size());
  for (auto &[Where, Each] : Found)
    Result.push_back(std::move(Each));
  return Result;
}

std::string mpishm::whyRead(const std::vector<ir::ValueClasses> &Values, const PackedSend &S) {
  bool Any = false;
  for (const ir::ValueClasses &Each : Values) {
    auto It = Each.Packed.find({S.Send, S.Function});
    if (It == Each.Packed.end())
      continue;
    if (!It->second.empty())
      return It->second;
    Any = true;
  }
  return Any ? "" : "as far as was followed, nothing comes to it";
}

bool mpishm::addPackedEdits(const PackedSend &S, std::map<Place, Rename> &Renames) {
  const Rename Begin{S.Call, S.CallWord, "MPISHM_Packing_begin(" + S.Arguments + "); " + S.CallWord};
  const Rename There{S.Loops, S.LoopsWord,
                     "MPISHM_PACK_THERE(" + S.Target + ", " + S.Rows + ", " + S.Row + "); " + S.LoopsWord};
  auto Fits = [&](const Rename &R) {
    auto It = Renames.find(R.Where);
    return It == Renames.end() || It->second.NewName == R.NewName;
  };
  auto Send = Renames.find(S.Send);
  if (Send == Renames.end() || Send->second.Defined || !Fits(Begin) || !Fits(There))
    return false;
  Send->second.NewName += "_packed";
  Renames.try_emplace(Begin.Where, Begin);
  Renames.try_emplace(There.Where, There);
  return true;
}
