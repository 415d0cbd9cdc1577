// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffers/Releases.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using Node = PointerNodeIndex;

ReleaseMap::ReleaseMap(const PointerFacts &All, const PointsTo &Pointers, const std::vector<ir::ValueClasses> *Values)
    : Facts(All) {
  CallsByLine Making, Releasing;
  for (const MemoryCall &C : Facts.Calls) {
    if (C.Makes != NoNode)
      Making[{C.Name.File, C.Name.Line}].push_back(&C);
    if (C.GivesBack == NoNode)
      continue;
    Releasing[{C.Name.File, C.Name.Line}].push_back(&C);
    for (Node Memory : Pointers.of(C.GivesBack))
      Calls[Memory].push_back(&C);
  }
  if (!Values)
    return;
  for (const ir::ValueClasses &Each : *Values)
    for (const ir::MemoryRelease &R : Each.Releases)
      for (const MemoryCall *Made : at(Making, R.Made))
        add(Pointers, *Made, R, R.Out.empty() ? at(Releasing, R.Released) : std::vector<const MemoryCall *>());
}

/// The calls at \p Where: those of the line, unless its column tells one from another.
std::vector<const MemoryCall *> ReleaseMap::at(const CallsByLine &All, const Place &Where) {
  auto It = All.find({Where.File, Where.Line});
  if (It == All.end())
    return {};
  std::vector<const MemoryCall *> Exact;
  llvm::copy_if(It->second, std::back_inserter(Exact),
                [&](const MemoryCall *C) { return C->Name.Column == Where.Column; });
  return Exact.empty() ? It->second : Exact;
}

/// What a wrapper makes is memory of each of its callers: what is known to give back that of one, or to have its
/// address out of sight, is none of the others'.
void ReleaseMap::add(const PointsTo &Pointers, const MemoryCall &Made, const ir::MemoryRelease &R,
                     const std::vector<const MemoryCall *> &By) {
  std::vector<Node> Memory{Made.Makes};
  for (const ResultCall &C : Facts.Results)
    if (auto It = Pointers.wrappers().find(C.Callee); It != Pointers.wrappers().end() && C.As.Makes != NoNode)
      if (llvm::is_contained(It->second, Made.Makes))
        Memory.push_back(C.As.Makes);
  for (Node Each : Memory)
    if ((!R.Out.empty() && Pointers.isOutside(Each)) ||
        llvm::any_of(Calls[Each], [&](const MemoryCall *C) { return llvm::is_contained(By, C); }))
      return;
  ir::MemoryRelease Release = R;
  Release.Released.Column = std::max(Release.Released.Column, 1U);
  for (Node Each : Memory) {
    llvm::append_range(Calls[Each], By);
    if (By.empty())
      Unseen.try_emplace(Each, Release);
  }
}

const std::vector<const MemoryCall *> &ReleaseMap::of(Node Memory) const {
  static const std::vector<const MemoryCall *> None;
  auto It = Calls.find(Memory);
  return It == Calls.end() ? None : It->second;
}

const ir::MemoryRelease *ReleaseMap::unseen(Node Memory) const {
  auto It = Unseen.find(Memory);
  return It == Unseen.end() ? nullptr : &It->second;
}
