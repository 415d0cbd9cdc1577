// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffers/Vectors.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringMap.h"
#include <tuple>

using namespace mpishm;

VectorGroups::VectorGroups(const PointerFacts &Facts) {
  llvm::StringMap<unsigned> Numbers;
  llvm::IntEqClasses Same;
  auto Number = [&](llvm::StringRef Id) {
    auto [It, New] = Numbers.try_emplace(Id, Numbers.size());
    if (New)
      Same.grow(Numbers.size());
    return It->second;
  };
  for (const VectorDeclaration &V : Facts.Vectors) {
    unsigned Own = Number(V.Id);
    if (V.Angle) // several variables share one written type
      Same.join(Own, Number("at:" + V.Angle->File + ":" + std::to_string(V.Angle->Offset)));
  }
  for (const auto &[A, B] : Facts.VectorLinks)
    Same.join(Number(A), Number(B));
  Same.compress();
  Groups.resize(Same.getNumClasses());
  llvm::StringMap<std::string> Names;
  for (const VectorDeclaration &V : Facts.Vectors) {
    unsigned Index = Same[Numbers.lookup(V.Id)];
    Groups[Index].Members.push_back(&V);
    Groups[Index].Already &= V.Already;
    Names[V.Id] = V.Name;
    if (V.Elements != NoNode)
      GroupOf[V.Elements] = Index;
  }
  for (const VectorMisuse &M : Facts.VectorMisuses) {
    auto It = Numbers.find(M.Id);
    if (It == Numbers.end())
      continue;
    VectorGroup &G = Groups[Same[It->second]];
    if (G.Misuse && std::tie(G.Misuse->Where, G.Misuse->What) < std::tie(M.Where, M.What))
      continue;
    G.Misuse = &M;
    auto Name = Names.find(M.Id); // of a written type, any that has it
    if (Name != Names.end())
      G.MisusedName = Name->second;
    else
      G.MisusedName = G.Members.empty() ? "" : G.Members.front()->Name;
  }
}

const VectorGroup *VectorGroups::of(PointerNodeIndex Elements) const {
  auto It = GroupOf.find(Elements);
  return It == GroupOf.end() ? nullptr : &Groups[It->second];
}
