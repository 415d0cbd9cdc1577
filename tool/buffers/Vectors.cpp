// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffers/Vectors.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
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
    if (!V.Shared.empty())
      Same.join(Own, Number(V.Shared));
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
    if (!V.Shared.empty())
      Names[V.Shared] = V.Name;
    if (V.Elements != NoNode)
      GroupOf[V.Elements] = Index;
  }
  findUndefined(Facts);
  auto RefuseGroup = [&](VectorGroup &G, const VectorMisuse &M, llvm::StringRef Id) {
    if (G.Misuse && std::tie(G.Misuse->Where, G.Misuse->What) < std::tie(M.Where, M.What))
      return;
    G.Misuse = &M;
    auto Name = Names.find(Id); // of a written type, any that has it
    if (Name != Names.end())
      G.MisusedName = Name->second;
    else
      G.MisusedName = G.Members.empty() ? "" : Names[G.Members.front()->Id];
  };
  llvm::StringMap<std::vector<const VectorDeclaration *>> InRecords;
  for (const VectorDeclaration &V : Facts.Vectors)
    if (!V.InRecords.empty())
      InRecords[V.InRecords].push_back(&V);
  auto Refuse = [&](const VectorMisuse &M) {
    for (const VectorDeclaration *V : InRecords.lookup(M.Id))
      RefuseGroup(Groups[Same[Numbers.lookup(V->Id)]], M, V->Id);
    auto It = Numbers.find(M.Id);
    if (It != Numbers.end())
      RefuseGroup(Groups[Same[It->second]], M, M.Id);
  };
  llvm::for_each(Facts.VectorMisuses, Refuse);
  llvm::for_each(Undefined, Refuse);
}

/// What a library defines takes no other type.
void VectorGroups::findUndefined(const PointerFacts &Facts) {
  llvm::StringSet<> Defined;
  for (const VectorDeclaration &V : Facts.Vectors)
    if (V.Defined)
      Defined.insert(V.Shared);
  for (const VectorDeclaration &V : Facts.Vectors)
    if (!V.Shared.empty() && !Defined.contains(V.Shared))
      Undefined.push_back({V.Id, "belongs to a function that is defined elsewhere", V.Where});
}

const VectorGroup *VectorGroups::of(PointerNodeIndex Elements) const {
  auto It = GroupOf.find(Elements);
  return It == GroupOf.end() ? nullptr : &Groups[It->second];
}
