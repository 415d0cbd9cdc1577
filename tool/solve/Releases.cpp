// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory is given back where: also such as is found by an address that has left the program, or went from place
// to place as bytes.

#include "solve/Analysis.h"
#include <map>
#include <tuple>

using namespace mpishm;
using namespace mpishm::ir;

Analysis::MemoryPlace Analysis::placeOf(const CallPlace &At, uint32_t ObjectOrNode) const {
  auto [File, Line] = lineOf(*Instances[At.In].Of.Of, At.What->Where);
  return {ObjectOrNode, {std::move(File), 0, Line, At.What->Column}};
}

/// What operator delete gives back is not from malloc or new[].
void Analysis::noteRelease(const CallPlace &At, llvm::StringRef Name) {
  bool GivesBack = Name == "free" || Name == "cfree" || Name == "realloc" || Name == "reallocarray" ||
                   Name == "MPISHM_Free" || Name == "MPISHM_Realloc" || Name.starts_with("_ZdaPv");
  if (GivesBack && !At.What->Arguments.empty())
    Releases.push_back(placeOf(At, argument(At, 0)));
}

std::vector<MemoryRelease> Analysis::releases() const {
  std::map<uint32_t, const MemoryPlace *> MadeAt;
  std::set<uint32_t> Known; // to code out of sight, or as bits of a number
  for (const MemoryPlace &A : Allocations) {
    MadeAt[A.ObjectOrNode] = &A;
    if (Heap[A.ObjectOrNode].Escaped || LeftObjects.count(A.ObjectOrNode))
      Known.insert(A.ObjectOrNode);
  }
  auto Key = [](const Place &P) { return std::make_tuple(P.File, P.Line, P.Column); };
  std::map<std::pair<decltype(Key({})), decltype(Key({}))>, MemoryRelease> Found;
  for (const MemoryPlace &R : Releases) {
    std::set<uint32_t> Objects;
    bool Anything = G.isAnything(R.ObjectOrNode) || G.hasOutside(R.ObjectOrNode);
    for (uint32_t T : G.tokensOf(R.ObjectOrNode)) {
      const Token &Each = G.token(T);
      Anything |= Each.Is == Token::Kind::Integer && !Each.Where.isExact();
      if (Each.Is == Token::Kind::Memory)
        Objects.insert(Each.Id);
    }
    if (Anything)
      Objects.insert(Known.begin(), Known.end());
    for (uint32_t Object : Objects)
      if (auto It = MadeAt.find(Object); It != MadeAt.end())
        Found.try_emplace({Key(It->second->Where), Key(R.Where)}, MemoryRelease{It->second->Where, R.Where});
  }
  std::vector<MemoryRelease> Result;
  Result.reserve(Found.size());
  for (const auto &[By, Release] : Found)
    Result.push_back(Release);
  return Result;
}
