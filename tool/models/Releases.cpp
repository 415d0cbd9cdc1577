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

/// What is allocated and \p Node may point to, some of it twice.
std::vector<uint32_t> LibraryModels::pointedTo(const Allocated &All, uint32_t Node) const {
  std::vector<uint32_t> Result;
  bool Anything = G.isAnything(Node) || G.hasOutside(Node);
  for (uint32_t T : G.tokensOf(Node)) {
    const Token &Each = G.token(T);
    Anything |= Each.Is == Token::Kind::Integer && !Each.Where.isExact();
    if (Each.Is == Token::Kind::Memory && All.MadeAt.count(Each.Id))
      Result.push_back(Each.Id);
  }
  if (Anything)
    Result.insert(Result.end(), All.Known.begin(), All.Known.end());
  return Result;
}

/// The calls for which alone the function around \p Made makes it there, from that of the function outwards.
std::vector<Place> LibraryModels::madeFor(const MemoryPlace &Made) const {
  std::vector<Place> Result;
  for (const Instance *Each = &Instances[Made.In]; Each->For; Each = &Instances[Each->ForIn])
    Result.push_back(placeOf(*Instances[Each->ForIn].Of.Of, Each->For->Where));
  return Result;
}

/// By object, where it may be given back, in order. What code out of sight has the address of, by whatever way and in
/// whatever form, it may give back.
std::map<uint32_t, LibraryModels::ReleasePlaces> LibraryModels::releasesOf(const Allocated &All,
                                                                           ReleasesInOrder &Places) const {
  auto At = [&](const Place &P, const std::string &Out) {
    return Places.try_emplace({P.File, P.Line, P.Column, Out}, MemoryRelease{P, Out}).first;
  };
  // Many calls are given the same addresses: each set is kept once, and gone through once for each place.
  std::map<std::pair<const MemoryRelease *, std::pair<const uint32_t *, bool>>, uint32_t> Nodes;
  for (const MemoryPlace &R : Releases) {
    bool Anything = G.isAnything(R.ObjectOrNode) || G.hasOutside(R.ObjectOrNode);
    Nodes.try_emplace({&At(R.Where, "")->second, {G.tokensOf(R.ObjectOrNode).data(), Anything}}, R.ObjectOrNode);
  }
  std::map<const MemoryRelease *, std::set<uint32_t>> Objects;
  for (const auto &[By, Node] : Nodes)
    for (uint32_t Object : pointedTo(All, Node))
      Objects[By.first].insert(Object);
  for (const auto &[Object, Made] : All.MadeAt)
    if (Heap[Object].Escaped) {
      const Reason &Why = Reasons[Heap[Object].WhyEscaped], &First = firstOf(Why);
      Place Out;
      Out.File = First.File;
      Out.Line = First.Line;
      Objects[&At(Out, describe(Why))->second].insert(Object);
    }
  std::map<uint32_t, ReleasePlaces> Result;
  for (const auto &[Key, Release] : Places)
    if (auto It = Objects.find(&Release); It != Objects.end())
      for (uint32_t Object : It->second)
        Result[Object].push_back(&Release);
  return Result;
}

std::vector<AllocatedMemory> LibraryModels::releases() const {
  const Allocated All = allocated();
  ReleasesInOrder Places;
  std::map<ReleasePlaces, std::shared_ptr<const std::vector<MemoryRelease>>>
      Lists; // what many objects have is kept once
  std::vector<AllocatedMemory> Result;
  for (const auto &[Object, By] : releasesOf(All, Places)) {
    std::shared_ptr<const std::vector<MemoryRelease>> &List = Lists[By];
    if (!List) {
      std::vector<MemoryRelease> Copied;
      for (const MemoryRelease *Each : By)
        Copied.push_back(*Each);
      List = std::make_shared<const std::vector<MemoryRelease>>(std::move(Copied));
    }
    const MemoryPlace &Made = *All.MadeAt.at(Object);
    Result.push_back({Made.Where, madeFor(Made), List});
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
