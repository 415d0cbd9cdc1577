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

bool mpishm::addPackedEdits(const PackedSend &S, std::map<EditKey, Rename> &Renames) {
  const std::string Announces = "MPISHM_Packing_begin(" + S.Arguments + "); ";
  const std::string Sizes = "(" + S.Target + ", " + S.Rows + ", " + S.Row + ")";
  const std::string Asks = S.StoreText.empty() ? "MPISHM_PACK_THERE" + Sizes + "; " : "MPISHM_PACKING" + Sizes + " ";
  std::vector<Rename> Added;
  if (S.InSender) {
    Added.push_back({S.Loops, S.LoopsWord, Announces + Asks + S.LoopsWord});
    if (!S.StoreText.empty())
      Added.push_back({S.Store, S.StoreText, "MPISHM_THERE(" + S.StoreText + ")"});
  } else {
    Added.push_back({S.Call, S.CallWord, Announces + S.CallWord});
    Added.push_back({S.Loops, S.LoopsWord, Asks + S.LoopsWord});
  }
  auto Fits = [&](const Rename &R) {
    auto It = Renames.find(keyOf(R));
    return It == Renames.end() || It->second.NewName == R.NewName;
  };
  auto Send = Renames.find({S.Send, ""}); // none of a name that is defined
  if (Send == Renames.end() || !llvm::all_of(Added, Fits))
    return false;
  Send->second.NewName += "_packed";
  for (const Rename &R : Added)
    Renames.try_emplace(keyOf(R), R);
  return true;
}
