// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "graph/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

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
  constexpr size_t Many = 64;
  (Nodes[Node].Copies.size() < Many ? Work : Late).push_back(Node);
}

/// Adds what is in \p Set; with anything in it, for the reason \p Why. What comes to a large set waits until the node
/// is handled: a set to which thousands of nodes bring one token each is made anew a few times then, not each time.
void Graph::addSet(uint32_t Node, TokenSets::Id Set, uint32_t Why) {
  constexpr size_t Large = 512;
  Node = find(Node);
  State &S = Nodes[Node];
  TokenSets::Id Before = S.All;
  if (Sets[Before].size() < Large)
    addNow(S, Set, Why);
  else if (!Sets.includes(Before, Set))
    S.Waiting.push_back({Set, Why});
  if (S.All != Before || !S.Waiting.empty())
    queue(Node);
}

void Graph::addNow(State &S, TokenSets::Id Set, uint32_t Why) {
  TokenSets::Id New = Sets.unite(S.All, Set);
  if (Sets.hasAnything(New) && !Sets.hasAnything(S.All))
    S.Why = Why;
  S.All = New;
}

void Graph::addWaiting(State &S) {
  std::vector<std::pair<TokenSets::Id, uint32_t>> Parts = std::move(S.Waiting);
  S.Waiting.clear();
  // Pairs of pairs, so that large sets are made few times.
  for (; Parts.size() > 1; Parts.resize((Parts.size() + 1) / 2))
    for (size_t I = 0; I < Parts.size(); I += 2) {
      auto [Set, Why] = Parts[I];
      if (I + 1 < Parts.size()) {
        Why = Sets.hasAnything(Set) ? Why : Parts[I + 1].second;
        Set = Sets.unite(Set, Parts[I + 1].first);
      }
      Parts[I / 2] = {Set, Why};
    }
  for (auto [Set, Why] : Parts)
    addNow(S, Set, Why);
}

void Graph::addCopy(uint32_t From, uint32_t To) {
  if (Kept)
    Kept->Edges.insert({From, To});
  From = find(From);
  To = find(To);
  if (From == To || !Edges.insert({From, To}).second)
    return;
  Nodes[From].Copies.push_back(To);
  addSet(To, Nodes[From].Handled, Nodes[From].Why);
}

void Graph::addDerived(uint32_t From, uint32_t To) {
  if (Kept)
    Kept->Edges.insert({From, To});
  From = find(From);
  To = find(To);
  if (!DerivedEdges.insert({From, To}).second)
    return;
  Nodes[From].Derives.push_back(To);
  addSet(To, Sets.derived(Nodes[From].Handled), Nodes[From].Why);
}

/// Whether \p R hands what is at its node, or what that leads to, on to its To.
static bool handsOn(const Rule &R) {
  using K = Rule::Kind;
  constexpr K All[] = {K::Index,   K::Offset,  K::Part,         K::Member, K::Convert, K::Head,        K::ToAddress,
                       K::MovedBy, K::Aligned, K::VirtualEntry, K::Binary, K::Load,    K::LoadElement, K::Contents};
  return R.To != NoNode && llvm::is_contained(All, R.Is);
}

void Graph::noteBegin(uint32_t Node, uint32_t T) {
  if (!HandsOn && (Tokens[T].Is != Token::Kind::Integer || Tokens[T].Id == MadeUp))
    Kept->Begun.push_back({Node, T});
}

void Graph::noteRule(uint32_t Node, const Rule &R) {
  if (handsOn(R) || R.To == NoNode)
    Kept->Rules.push_back({Node, R.To, R.Is, R.A});
}

void Graph::applyRule(const Rule &R, uint32_t At, llvm::ArrayRef<uint32_t> New) {
  llvm::SaveAndRestore<bool> Now(HandsOn, Kept && handsOn(R));
  if (R.Is == Rule::Kind::Binary)
    Owner.combine(R);
  else
    Owner.applyToAll(R, At, New);
}

void Graph::addRule(uint32_t Node, const Rule &R) {
  if (Kept)
    noteRule(Node, R);
  Node = find(Node);
  Nodes[Node].Rules.push_back(R);
  if (R.Is == Rule::Kind::Binary) {
    queue(Node);
    return;
  }
  // Applying may add tokens here, which are handled later, and merge nothing.
  applyRule(R, Node, Sets[Nodes[Node].Handled]);
}

Graph::Joint Graph::jointOf(const Rule &R, llvm::ArrayRef<uint32_t> Tokens) {
  return {Sets.of(Tokens), static_cast<uint32_t>(R.Is), R.A, R.B, R.C};
}

std::pair<uint32_t, bool> Graph::jointNode(const Rule &R, llvm::ArrayRef<uint32_t> Tokens) {
  auto [It, New] = JointNodes.try_emplace(jointOf(R, Tokens), 0);
  if (New)
    It->second = newNode();
  return {It->second, New};
}

void Graph::addImages(uint32_t Node, const Rule &R, llvm::ArrayRef<uint32_t> Of,
                      llvm::function_ref<void(const Token &, llvm::SmallVectorImpl<Token> &)> Image) {
  auto [It, New] = Images.try_emplace(jointOf(R, Of), TokenSets::None);
  if (New) {
    std::vector<uint32_t> All;
    llvm::SmallVector<Token, 4> Each;
    for (uint32_t T : Of) {
      Each.clear();
      Image(Token(Tokens[T]), Each);
      for (const Token &To : Each)
        All.push_back(Tokens.number(To));
    }
    It->second = Sets.joined(std::move(All));
  }
  addSet(Node, It->second, 0);
}

void Graph::handle(uint32_t Node) {
  State &S = Nodes[Node];
  S.Queued = false;
  addWaiting(S);
  const TokenSets::Id Before = S.Handled, Now = S.All;
  S.Handled = Now;
  if (Now != Before) {
    for (size_t C = 0; C < S.Copies.size(); ++C)
      addSet(S.Copies[C], Now, S.Why);
    for (size_t C = 0; C < S.Derives.size(); ++C)
      addSet(S.Derives[C], Sets.derived(Now), S.Why);
  }
  if (S.Rules.empty())
    return;
  // A rule that comes meanwhile has been applied to what is handled.
  const llvm::SmallVector<uint32_t, 16> New = Sets.difference(Now, Before);
  for (size_t R = 0, End = S.Rules.size(); R < End; ++R) {
    const Rule Each = S.Rules[R];
    applyRule(Each, Node, New);
  }
}

/// Takes away the sets that no node has any more.
void Graph::dropSets() {
  JointNodes.clear();
  Images.clear();
  std::vector<bool> IsUsed(Sets.ids());
  for (const State &S : Nodes) {
    IsUsed[S.All] = IsUsed[S.Handled] = true;
    for (auto [Set, Why] : S.Waiting)
      IsUsed[Set] = true;
  }
  Sets.drop(IsUsed);
}

bool Graph::solve(uint64_t Steps, uint64_t Most) {
  while (!Work.empty() || !Late.empty()) {
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
    std::deque<uint32_t> &Next = Work.empty() ? Late : Work;
    uint32_t Node = Next.front();
    Next.pop_front();
    if (find(Node) != Node)
      continue;
    ++Done;
    handle(Node);
  }
  return true;
}
