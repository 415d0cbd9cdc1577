// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles of copies: all their nodes end with the same tokens, so that they can be one.

#include "graph/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm::ir;

/// Puts what \p From has into \p Into. Tokens are handled anew; to have them twice changes nothing.
void Graph::merge(uint32_t Into, uint32_t From) {
  Parent[From] = Into;
  State Old = std::move(Nodes[From]);
  Nodes[From] = State();
  State &S = Nodes[Into];
  llvm::append_range(S.Copies, Old.Copies);
  llvm::append_range(S.Derives, Old.Derives);
  llvm::append_range(S.Rules, Old.Rules);
  S.Handled = TokenSets::None;
  llvm::append_range(S.Waiting, Old.Waiting);
  addSet(Into, Old.All, Old.Why);
  queue(Into);
}

/// Of edges to what is one node now, one is left in \p Targets; of edges of \p Self to itself, none.
void Graph::joinTargets(std::vector<uint32_t> &Targets, uint32_t Self) const {
  for (uint32_t &To : Targets)
    To = find(To);
  llvm::sort(Targets);
  Targets.erase(llvm::unique(Targets), Targets.end());
  llvm::erase(Targets, Self);
}

/// Tarjan's algorithm over the edges, without recursion.
void Graph::collapse() {
  struct Frame {
    uint32_t Node;
    size_t Next;
  };
  uint32_t Count = Nodes.size(), Time = 0;
  std::vector<uint32_t> Index(Count), Low(Count), Stack;
  std::vector<bool> OnStack(Count);
  std::vector<std::vector<uint32_t>> Cycles;
  std::vector<Frame> Frames;
  auto Enter = [&](uint32_t Node) {
    Index[Node] = Low[Node] = ++Time;
    Stack.push_back(Node);
    OnStack[Node] = true;
    Frames.push_back({Node, 0});
  };
  auto Leave = [&](uint32_t Node) {
    Frames.pop_back();
    if (!Frames.empty())
      Low[Frames.back().Node] = std::min(Low[Frames.back().Node], Low[Node]);
    if (Low[Node] != Index[Node])
      return;
    std::vector<uint32_t> Members;
    do {
      Members.push_back(Stack.back());
      OnStack[Stack.back()] = false;
      Stack.pop_back();
    } while (Members.back() != Node);
    if (Members.size() > 1)
      Cycles.push_back(std::move(Members));
  };
  for (uint32_t Start = 0; Start < Count; ++Start) {
    if (Index[Start] || find(Start) != Start)
      continue;
    Enter(Start);
    while (!Frames.empty()) {
      Frame &Top = Frames.back();
      uint32_t Node = Top.Node;
      if (Top.Next == Nodes[Node].Copies.size()) {
        Leave(Node);
        continue;
      }
      uint32_t To = find(Nodes[Node].Copies[Top.Next++]);
      if (!Index[To])
        Enter(To);
      else if (OnStack[To])
        Low[Node] = std::min(Low[Node], Index[To]);
    }
  }
  for (const std::vector<uint32_t> &Members : Cycles)
    for (uint32_t Node : llvm::drop_begin(Members))
      merge(Members.front(), Node);
  for (uint32_t Node = 0; Node < Count; ++Node)
    if (find(Node) == Node) {
      joinTargets(Nodes[Node].Copies, Node);
      joinTargets(Nodes[Node].Derives, NoNode);
    }
}
