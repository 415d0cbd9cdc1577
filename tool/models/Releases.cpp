// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory is given back where: also such as is found by an address that has left the program, or went from place
// to place as bytes.

#include "models/Analysis.h"
#include <map>
#include <tuple>

using namespace mpishm;
using namespace mpishm::ir;

/// Whether `new[]` does \p At itself: where an element's constructor throws, it gives back what it has allocated, and
/// as it was allocated, so that this is right wherever the memory is.
bool LibraryModels::isOfNew(const CallPlace &At) {
  const Body &Of = Instances[At.In].Of;
  auto [It, New] = NewArrays.try_emplace(Of.Code);
  if (New)
    for (const Call &C : Of.Code->Calls)
      if (C.Callee && llvm::StringRef(Of.Of->Symbols[*C.Callee].Name).starts_with("_Zna"))
        It->second.emplace(C.Result, C.Where);
  return It->second.count({At.What->Arguments.front(), At.What->Where}) != 0;
}

/// What operator delete gives back is not from malloc or new[].
void LibraryModels::noteRelease(const CallPlace &At, llvm::StringRef Name) {
  bool GivesBack = Name == "free" || Name == "cfree" || Name == "realloc" || Name == "reallocarray" ||
                   Name == "MPISHM_Free" || Name == "MPISHM_Realloc" || Name.starts_with("_ZdaPv") ||
                   (Name.starts_with("fftw") && Name.ends_with("_free"));
  if (GivesBack && !At.What->Arguments.empty() && !isOfNew(At))
    Releases.push_back(memoryAt(At, argument(At, 0)));
}

LibraryModels::Allocated LibraryModels::allocated() const {
  Allocated Result;
  for (const MemoryPlace &A : Allocations) {
    Result.MadeAt[A.ObjectOrNode] = &A;
    if (Heap[A.ObjectOrNode].Escaped || LentObjects.contains(A.ObjectOrNode) || LeftObjects.count(A.ObjectOrNode))
      Result.Known.insert(A.ObjectOrNode);
  }
  return Result;
}

/// What is allocated and \p Node may point to.
std::set<uint32_t> LibraryModels::pointedTo(const Allocated &All, uint32_t Node) const {
  std::set<uint32_t> Result;
  bool Anything = G.isAnything(Node) || G.hasOutside(Node);
  for (uint32_t T : G.tokensOf(Node)) {
    const Token &Each = G.token(T);
    Anything |= Each.Is == Token::Kind::Integer && !Each.Where.isExact();
    if (Each.Is == Token::Kind::Memory && All.MadeAt.count(Each.Id))
      Result.insert(Each.Id);
  }
  if (Anything)
    Result.insert(All.Known.begin(), All.Known.end());
  return Result;
}

/// The calls for which alone the function around \p Made makes it there, from that of the function outwards.
std::vector<Place> LibraryModels::madeFor(const MemoryPlace &Made) const {
  std::vector<Place> Result;
  for (const Instance *Each = &Instances[Made.In]; Each->For; Each = &Instances[Each->ForIn])
    Result.push_back(placeOf(*Instances[Each->ForIn].Of.Of, Each->For->Where));
  return Result;
}

/// What code out of sight has the address of, by whatever way and in whatever form, it may give back.
std::vector<AllocatedMemory> LibraryModels::releases() const {
  const Allocated All = allocated();
  using PlaceKey = std::tuple<std::string, uint32_t, uint32_t>;
  auto Key = [](const Place &P) { return PlaceKey(P.File, P.Line, P.Column); };
  std::map<uint32_t, std::map<std::pair<PlaceKey, bool>, MemoryRelease>> Found; // by object; the bool: out of sight
  for (const MemoryPlace &R : Releases)
    for (uint32_t Object : pointedTo(All, R.ObjectOrNode))
      Found[Object].try_emplace({Key(R.Where), false}, MemoryRelease{R.Where, {}});
  for (const auto &[Object, Made] : All.MadeAt)
    if (Heap[Object].Escaped) {
      const Reason &Why = Reasons[Heap[Object].WhyEscaped], &First = firstOf(Why);
      Place Out;
      Out.File = First.File;
      Out.Line = First.Line;
      Found[Object].try_emplace({Key(Out), true}, MemoryRelease{Out, describe(Why)});
    }
  std::vector<AllocatedMemory> Result;
  Result.reserve(Found.size());
  for (auto &[Object, Each] : Found) {
    const MemoryPlace &Made = *All.MadeAt.at(Object);
    AllocatedMemory &Memory = Result.emplace_back(AllocatedMemory{Made.Where, madeFor(Made), {}});
    for (auto &[By, Release] : Each)
      Memory.Releases.push_back(std::move(Release));
  }
  return Result;
}

std::vector<Analysis::MessageMemory> Analysis::messageMemory() const {
  const Allocated All = allocated();
  std::map<std::pair<std::string, unsigned>, std::set<uint32_t>> Sites;
  for (const MemoryPlace &A : Allocations)
    Sites[{A.Where.File, A.Where.Line}];
  for (const MpiCall &C : MpiCalls)
    for (uint32_t Buffer : {C.Buffer, C.SecondBuffer})
      if (Buffer != NoNode && C.Site)
        for (uint32_t Object : pointedTo(All, Buffer)) {
          const Place &Made = All.MadeAt.at(Object)->Where;
          Sites[{Made.File, Made.Line}].insert(*C.Site);
        }
  std::vector<MessageMemory> Result;
  Result.reserve(Sites.size());
  for (auto &[Made, Messages] : Sites)
    Result.push_back({Made.first, Made.second, std::move(Messages)});
  return Result;
}
