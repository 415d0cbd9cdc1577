// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "flows/Flows.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace mpishm;
using namespace mpishm::ir;

/// Whether what a rule of kind \p Is leads to, not what is at its node, comes to its To.
static bool loads(Rule::Kind Is) {
  using K = Rule::Kind;
  return llvm::is_contained({K::Load, K::LoadElement, K::Contents}, Is);
}

/// Whether what is at the node of a rule of kind \p Is escapes, for the reason that is its A.
static bool letsEscape(Rule::Kind Is) {
  using K = Rule::Kind;
  return llvm::is_contained({K::Escape, K::EscapeOther, K::LeaveAsNumber, K::Lend, K::Extend}, Is);
}

FlowFinder::FlowFinder(const Solver &Of) : S(Of), Places(Of) {
  if (!S.G.trail())
    return;
  const Graph::Trail &Trail = *S.G.trail();
  for (auto [From, To] : Trail.Edges)
    Into.push_back({To, From});
  for (const Graph::Trail::Step &R : Trail.Rules)
    if (R.To == NoNode && letsEscape(R.By))
      Ends.insert({static_cast<uint32_t>(R.A), R.From});
    else if (R.To != NoNode)
      (loads(R.By) ? LoadedInto : Into).push_back({R.To, R.From});
  for (auto *Each : {&Into, &LoadedInto}) {
    llvm::sort(*Each);
    Each->erase(llvm::unique(*Each), Each->end());
  }
  for (auto [Node, T] : Trail.Begun)
    Begun[Node].push_back(T);
}

/// The nodes from which \p What may come to \p Node.
FlowFinder::Nodes FlowFinder::waysInto(uint32_t Node, const Subject &What) const {
  Nodes Result;
  auto Add = [&](const std::vector<std::pair<uint32_t, uint32_t>> &Edges) {
    for (auto It = llvm::lower_bound(Edges, std::pair(Node, 0U)); It != Edges.end() && It->first == Node; ++It)
      if (llvm::any_of(S.G.tokensOf(It->second), [&](uint32_t T) { return What.is(S.G.token(T)); }))
        Result.push_back(It->second);
  };
  Add(Into);
  if (What.Is != Token::Kind::Memory) // what is loaded by anything is anything, and by a handle tells of that
    Add(LoadedInto);
  return Result;
}

/// The shortest path to one of \p Ends, from first to last, from a node where \p What came from no other, by
/// breadth-first search, backwards, and not through \p Without. If there is none that is known, from the farthest.
FlowFinder::Nodes FlowFinder::shortest(const Nodes &Ends, const Subject &What, uint32_t Without) const {
  std::map<uint32_t, uint32_t> After; // the next on the way to the end; of an end: itself
  std::deque<uint32_t> Next;
  auto Is = [&](uint32_t T) { return What.is(S.G.token(T)); };
  for (uint32_t End : Ends)
    if (llvm::any_of(S.G.tokensOf(End), Is) && After.try_emplace(End, End).second)
      Next.push_back(End);
  uint32_t First = NoNode;
  for (; !Next.empty(); Next.pop_front()) {
    First = Next.front();
    if (auto It = Begun.find(First); It != Begun.end() && llvm::any_of(It->second, Is))
      break;
    const Nodes All = waysInto(First, What);
    if (All.empty())
      break;
    for (uint32_t Before : All)
      if (Before != Without && After.try_emplace(Before, First).second)
        Next.push_back(Before);
  }
  Nodes Result;
  for (uint32_t At = First; At != NoNode; At = After[At] == At ? NoNode : After[At])
    Result.push_back(At);
  return Result;
}

/// The nodes at which something escapes for the reason \p Why.
FlowFinder::Nodes FlowFinder::endsFor(uint32_t Why) const {
  Nodes Result;
  if (std::optional<uint32_t> Object = S.Reasons[Why].Object) {
    for (const Cell &C : S.Heap[*Object].Cells)
      for (uint32_t Node : {C.Stored, C.Loaded})
        if (Node != NoNode)
          Result.push_back(Node);
    return Result;
  }
  for (auto [It, End] = Ends.equal_range(Why); It != End; ++It)
    Result.push_back(It->second);
  return Result;
}

/// Adds how the objects of \p Chain escape, each for the reason behind it.
void FlowFinder::addObjects(llvm::ArrayRef<uint32_t> Chain, Flow &To) const {
  for (; Chain.size() > 1; Chain = Chain.drop_front()) {
    std::optional<uint32_t> Object = S.Reasons[Chain.front()].Object;
    if (!Object) // a function's, which code out of sight may call
      return;
    const Nodes Path = shortest(endsFor(Chain[1]), {Token::Kind::Memory, *Object});
    Places.tell("the address of " + S.Heap[*Object].Name, Path, To);
  }
}

Flow FlowFinder::ofHandle(const Token &T, llvm::ArrayRef<uint32_t> Chain) const {
  Flow Result;
  if (Chain.empty())
    return Result;
  const Reason *Before = S.whyLeftAsNumber(T);
  const bool IsFirst = Before == &S.Reasons[Chain.front()]; // until then, it had not come back
  const Nodes Path = shortest(endsFor(Chain.front()), {T.Is, T.Id}, IsFirst ? S.AnyNumber : NoNode);
  if (Path.empty())
    return Result;
  if (Before && Path.front() == S.AnyNumber)
    Result = ofNumber(T, *Before);
  else if (std::optional<FlowStep> Made = Places.madeBy(T))
    Result.push_back(std::move(*Made));
  Places.tell("it", Path, Result);
  addObjects(Chain, Result);
  return Result;
}

/// How \p T leaves as a number, for the reason \p Why, to come back as any.
Flow FlowFinder::ofNumber(const Token &T, const Reason &Why) const {
  Flow Result = ofHandle(T, S.chainOf(Why));
  const Reason &First = S.firstOf(Why);
  FlowStep Leaves{"it " + S.describe(Why) + ", and may come back as any number", {}};
  Leaves.Where.File = First.File;
  Leaves.Where.Line = First.Line;
  Result.push_back(std::move(Leaves));
  return Result;
}

Flow FlowFinder::ofAnything(uint32_t Node) const {
  Flow Result;
  if (!S.G.isAnything(Node))
    return Result;
  addObjects(S.chainOf(*S.whyAnything(Node)), Result);
  Places.tell("something unknown", shortest({Node}, {Token::Kind::Anything, 0}), Result);
  return Result;
}

Flow FlowFinder::ofWriting() const {
  Flow Result;
  if (S.WrittenAt == NoNode)
    return Result;
  const Nodes Path = shortest({S.WrittenAt}, {Token::Kind::Integer, MadeUp});
  if (!Path.empty())
    Places.tell("an address", Constraint::Kind::ToAddress, "is made of a number", Path.front(), Result);
  Places.tell("it", Path, Result);
  Places.tell("it", Constraint::Kind::Store, "is where the program writes", S.WrittenAt, Result);
  return Result;
}
