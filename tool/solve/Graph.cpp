// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve/Graph.h"

using namespace mpishm::ir;

uint32_t Graph::newNode() {
  Nodes.emplace_back();
  Parent.push_back(Parent.size());
  return Parent.size() - 1;
}

uint32_t Graph::find(uint32_t Node) const {
  while (Parent[Node] != Node)
    Node = Parent[Node] = Parent[Parent[Node]];
  return Node;
}

void Graph::queue(uint32_t Node) {
  if (Nodes[Node].Queued)
    return;
  Nodes[Node].Queued = true;
  Work.push_back(Node);
}

/// Adds what is in \p Set; with anything in it, for the reason \p Why.
void Graph::addSet(uint32_t Node, TokenSets::Id Set, uint32_t Why) {
  Node = find(Node);
  State &S = Nodes[Node];
  TokenSets::Id New = Sets.unite(S.All, Set);
  if (New == S.All)
    return;
  if (Sets.hasAnything(New) && !Sets.hasAnything(S.All))
    S.Why = Why;
  S.All = New;
  queue(Node);
}

void Graph::addCopy(uint32_t From, uint32_t To) {
  From = find(From);
  To = find(To);
  if (From == To || !Edges.insert({From, To}).second)
    return;
  Nodes[From].Copies.push_back(To);
  addSet(To, Nodes[From].Handled, Nodes[From].Why);
}

void Graph::addDerived(uint32_t From, uint32_t To) {
  From = find(From);
  To = find(To);
  if (!DerivedEdges.insert({From, To}).second)
    return;
  Nodes[From].Derives.push_back(To);
  addSet(To, Sets.derived(Nodes[From].Handled), Nodes[From].Why);
}

void Graph::addRule(uint32_t Node, const Rule &R) {
  Node = find(Node);
  Nodes[Node].Rules.push_back(R);
  if (R.Is == Rule::Kind::Binary) {
    queue(Node);
    return;
  }
  // Applying may add tokens here, which are handled later, and merge nothing.
  for (uint32_t T : Sets[Nodes[Node].Handled])
    Owner.apply(R, Node, T);
}

void Graph::handle(uint32_t Node) {
  State &S = Nodes[Node];
  S.Queued = false;
  const TokenSets::Id Before = S.Handled, Now = S.All;
  S.Handled = Now;
  for (size_t C = 0; C < S.Copies.size(); ++C)
    addSet(S.Copies[C], Now, S.Why);
  for (size_t C = 0; C < S.Derives.size(); ++C)
    addSet(S.Derives[C], Sets.derived(Now), S.Why);
  if (S.Rules.empty())
    return;
  // A rule that comes meanwhile has been applied to what is handled.
  const llvm::SmallVector<uint32_t, 16> New = Sets.difference(Now, Before);
  for (size_t R = 0, End = S.Rules.size(); R < End; ++R) {
    const Rule Each = S.Rules[R];
    if (Each.Is == Rule::Kind::Binary) {
      Owner.combine(Each);
      continue;
    }
    for (uint32_t T : New)
      Owner.apply(Each, Node, T);
  }
}

/// Takes away the sets that no node has any more.
void Graph::dropSets() {
  std::vector<bool> IsUsed(Sets.ids());
  for (const State &S : Nodes)
    IsUsed[S.All] = IsUsed[S.Handled] = true;
  Sets.drop(IsUsed);
}

bool Graph::solve(uint64_t Steps, uint64_t Most) {
  while (!Work.empty()) {
    if (Done >= Steps)
      return false;
    if (Sets.held() > std::min(NextDrop, Most)) {
      dropSets();
      NextDrop = 2 * Sets.held() + 1'000'000;
      if (Sets.held() > Most - Most / 8) // else there would be no end of dropping
        return false;
    }
    if (Done >= NextCollapse) {
      collapse();
      NextCollapse = Done + std::max<uint64_t>(50000, Nodes.size());
    }
    uint32_t Node = Work.front();
    Work.pop_front();
    if (find(Node) != Node)
      continue;
    ++Done;
    handle(Node);
  }
  return true;
}
