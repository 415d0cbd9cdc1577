// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Releases.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using Node = PointerNodeIndex;

ReleaseMap::ReleaseMap(const PointerFacts &All, const PointsTo &Pointers, const std::vector<ir::ValueClasses> *Values)
    : Facts(All) {
  std::map<std::pair<std::string, unsigned>, std::vector<const MemoryCall *>> MadeAt;
  for (const MemoryCall &C : Facts.Calls) {
    if (C.Makes != NoNode)
      MadeAt[{C.Name.File, C.Name.Line}].push_back(&C);
    if (C.GivesBack != NoNode)
      for (Node Memory : Pointers.of(C.GivesBack))
        Calls[Memory].push_back(&C);
  }
  if (!Values)
    return;
  for (const ir::ValueClasses &Each : *Values)
    for (const ir::MemoryRelease &R : Each.Releases)
      for (const MemoryCall *Made : MadeAt[{R.MadeIn, R.Made}])
        add(Pointers, *Made, R);
}

/// What a wrapper makes is memory of each of its callers: what is known to give back that of one is none of the
/// others'.
void ReleaseMap::add(const PointsTo &Pointers, const MemoryCall &Made, const ir::MemoryRelease &Release) {
  std::vector<Node> Memory{Made.Makes};
  for (const ResultCall &C : Facts.Results)
    if (auto It = Pointers.wrappers().find(C.Callee); It != Pointers.wrappers().end() && C.As.Makes != NoNode)
      if (llvm::is_contained(It->second, Made.Makes))
        Memory.push_back(C.As.Makes);
  std::vector<const MemoryCall *> By;
  for (const MemoryCall &C : Facts.Calls)
    if (C.GivesBack != NoNode && C.Name.File == Release.ReleasedIn && C.Name.Line == Release.Released)
      By.push_back(&C);
  for (Node Each : Memory)
    if (llvm::any_of(Calls[Each], [&](const MemoryCall *C) { return llvm::is_contained(By, C); }))
      return;
  Place Where;
  Where.File = Release.ReleasedIn;
  Where.Line = Release.Released;
  Where.Column = 1;
  for (Node Each : Memory) {
    llvm::append_range(Calls[Each], By);
    if (By.empty())
      Unseen.try_emplace(Each, Where);
  }
}

const std::vector<const MemoryCall *> &ReleaseMap::of(Node Memory) const {
  static const std::vector<const MemoryCall *> None;
  auto It = Calls.find(Memory);
  return It == Calls.end() ? None : It->second;
}

const Place *ReleaseMap::unseen(Node Memory) const {
  auto It = Unseen.find(Memory);
  return It == Unseen.end() ? nullptr : &It->second;
}
