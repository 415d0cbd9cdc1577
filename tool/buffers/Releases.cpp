// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffers/Releases.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mpishm;
using Node = PointerNodeIndex;

template <typename Called> void ReleaseMap::ByLine<Called>::add(const MemoryCall &Call, const Called &What) {
  All[{Call.Name.File, Call.Name.Line}].push_back({Call.Name.Column, &What});
}

/// Those at \p Where: of the line, unless the column tells one from another.
template <typename Called> std::vector<const Called *> ReleaseMap::ByLine<Called>::at(const Place &Where) const {
  std::vector<const Called *> Exact, OfLine;
  if (auto It = All.find({Where.File, Where.Line}); It != All.end())
    for (auto [Column, Each] : It->second) {
      OfLine.push_back(Each);
      if (Column == Where.Column)
        Exact.push_back(Each);
    }
  return Exact.empty() ? OfLine : Exact;
}

ReleaseMap::ReleaseMap(const PointerFacts &Facts, const PointsTo &Pointers,
                       const std::vector<ir::ValueClasses> *Values) {
  ByLine<MemoryCall> Making, Releasing;
  for (const MemoryCall &C : Facts.Calls) {
    if (C.Makes != NoNode)
      Making.add(C, C);
    if (C.GivesBack == NoNode)
      continue;
    Releasing.add(C, C);
    for (Node Memory : Pointers.of(C.GivesBack))
      Calls[Memory].push_back(&C);
  }
  if (!Values)
    return;
  indexWrappers(Facts, Pointers);
  using ReleaseList = std::vector<ir::MemoryRelease>;
  std::map<const ReleaseList *, std::vector<std::vector<const MemoryCall *>>> CallsBy; // what each is, in the sources
  std::set<std::pair<Node, const ReleaseList *>> Done;
  for (const ir::ValueClasses &Each : *Values)
    for (const ir::AllocatedMemory &M : Each.Released)
      for (const MemoryCall *Made : Making.at(M.Made)) {
        std::vector<Node> Memory = memoryOf(*Made, M.MadeFor);
        llvm::erase_if(Memory, [&](Node N) { return !Done.insert({N, M.Releases.get()}).second; });
        std::vector<std::vector<const MemoryCall *>> &By = CallsBy[M.Releases.get()];
        if (By.empty())
          for (const ir::MemoryRelease &R : *M.Releases)
            By.push_back(R.Out.empty() ? Releasing.at(R.Where) : std::vector<const MemoryCall *>());
        for (auto [R, Calls] : llvm::zip_equal(*M.Releases, By))
          add(Pointers, Memory, R, Calls);
      }
}

void ReleaseMap::indexWrappers(const PointerFacts &Facts, const PointsTo &Pointers) {
  std::map<std::string, std::vector<const ResultCall *>> CallsOf;
  for (const ResultCall &C : Facts.Results)
    if (C.As.Makes != NoNode && Pointers.wrappers().count(C.Callee)) {
      CallsOf[C.Callee].push_back(&C);
      OfWrappers.add(C.As, C);
    }
  for (const AllocationWrapper &W : Facts.Wrappers)
    if (auto It = CallsOf.find(W.Function); It != CallsOf.end())
      for (const auto *Held : {&W.Makes, &W.Calls})
        for (Node Each : *Held)
          llvm::append_range(HandedOut[Each], It->second);
}

/// The calls that get \p Memory from a wrapper.
llvm::ArrayRef<const ResultCall *> ReleaseMap::callersOf(Node Memory) const {
  auto It = HandedOut.find(Memory);
  if (It == HandedOut.end())
    return {};
  return It->second;
}

/// The memory that \p Made makes for the calls \p MadeFor: a wrapper's is that of its callers. Where it is not known
/// for which of them, that of all.
std::vector<Node> ReleaseMap::memoryOf(const MemoryCall &Made, const std::vector<Place> &MadeFor) const {
  std::vector<Node> Result{Made.Makes};
  auto IsOfCaller = [&](const ResultCall *C) {
    return llvm::any_of(Result, [&](Node Each) { return llvm::is_contained(callersOf(Each), C); });
  };
  for (const Place &Where : MadeFor) {
    std::vector<Node> Callers;
    for (const ResultCall *C : OfWrappers.at(Where))
      if (IsOfCaller(C))
        Callers.push_back(C->As.Makes);
    if (Callers.empty())
      break;
    Result = std::move(Callers);
  }
  llvm::DenseSet<Node> Seen(Result.begin(), Result.end());
  for (size_t I = 0; I < Result.size(); ++I)
    for (const ResultCall *C : callersOf(Result[I]))
      if (Seen.insert(C->As.Makes).second)
        Result.push_back(C->As.Makes);
  return Result;
}

/// Of \p Memory, all that is not known to be given back \p By these calls, or to be out of sight, is so by \p R.
void ReleaseMap::add(const PointsTo &Pointers, const std::vector<Node> &Memory, const ir::MemoryRelease &R,
                     const std::vector<const MemoryCall *> &By) {
  for (Node Each : Memory) {
    if ((!R.Out.empty() && Pointers.isOutside(Each)) ||
        llvm::any_of(Calls[Each], [&](const MemoryCall *C) { return llvm::is_contained(By, C); }))
      continue;
    llvm::append_range(Calls[Each], By);
    if (By.empty()) {
      ir::MemoryRelease &Release = Unseen.try_emplace(Each, R).first->second;
      Release.Where.Column = std::max(Release.Where.Column, 1U);
    }
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
