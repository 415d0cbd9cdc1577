// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mpishm::ir;

/// So many numbers, or places in one object, a node has singly; more are put together. A method is called of each
/// member of its class: of places there must be more than a large class has members of a type, since put together they
/// are all of the object.
static constexpr unsigned MostNumbers = 16, MostPlaces = 64;

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

void Graph::insert(uint32_t Node, uint32_t T) {
  if (Nodes[Node].Known.insert(T).second) {
    Nodes[Node].List.push_back(T);
    ++Held;
    queue(Node);
  }
}

void Graph::addAnything(uint32_t Node, uint32_t Why) {
  Node = find(Node);
  State &S = Nodes[Node];
  if (S.Anything)
    return;
  S.Anything = true;
  S.Why = Why;
  insert(Node, Anything);
}

/// Whether a number is among those of \p S already.
bool Graph::covers(const State &S, const Token &T) const {
  if (S.AnyInteger)
    return true;
  return llvm::any_of(S.Progressions, [&](uint32_t P) {
    const Region &All = Tokens[P].Where;
    return T.Where.Stride % All.Stride == 0 && (T.Where.Offset - All.Offset) % All.Stride == 0;
  });
}

/// Puts the numbers of \p Node together: as those that leave one remainder, or else as any.
void Graph::widenNumbers(uint32_t Node) {
  State &S = Nodes[Node];
  int64_t Stride = 0;
  std::optional<int64_t> First;
  for (uint32_t T : S.List) {
    const Token &Each = Tokens[T];
    if (Each.Is != Token::Kind::Integer || Each.Id)
      continue;
    if (!First)
      First = Each.Where.Offset;
    int64_t Difference = 0;
    if (__builtin_sub_overflow(Each.Where.Offset, *First, &Difference))
      Difference = 1;
    Stride = std::gcd(std::gcd(Stride, Each.Where.Stride), Difference);
  }
  add(Node, {Token::Kind::Integer, 0, normalised({First.value_or(0), std::max<int64_t>(Stride, 1)})});
}

static int64_t remainder(int64_t Value, int64_t By) {
  int64_t R = Value % By;
  return R < 0 ? R + By : R;
}

/// Whether all that \p B stands for, \p A stands for too.
static bool includes(const Region &A, const Region &B) {
  if (A.isExact())
    return A == B;
  if (B.Stride % A.Stride != 0 || remainder(B.Offset - A.Offset, A.Stride) != 0)
    return false;
  return B.isExact() ? A.Low <= B.Offset && B.Offset < A.High : A.Low <= B.Low && B.High <= A.High;
}

/// Adds an address, if it is not there already in some form.
void Graph::addMemory(uint32_t Node, uint32_t T) {
  State &S = Nodes[Node];
  if (auto It = Escaped.find(Tokens[T].Id); It != Escaped.end()) {
    if (S.Anything || S.Outside)
      return;
    if (!It->second) {
      S.Outside = true;
      insert(Node, Tokens.number(Tokens[T].partial()));
      return;
    }
  }
  if (!S.Memory)
    S.Memory = std::make_unique<TokensByObject>();
  const Token New = Tokens[T];
  llvm::SmallVector<uint32_t, 2> &Places = (*S.Memory)[New.Id];
  if (llvm::any_of(Places, [&](uint32_t P) { return includes(Tokens[P].Where, New.Where); }))
    return;
  if (Places.size() < MostPlaces) {
    Places.push_back(T);
    insert(Node, T);
    return;
  }
  int64_t Stride = New.Where.Stride;
  for (uint32_t P : Places)
    Stride = std::gcd(std::gcd(Stride, Tokens[P].Where.Stride), New.Where.Offset - Tokens[P].Where.Offset);
  uint32_t All =
      Tokens.number({Token::Kind::Memory, New.Id, normalised({New.Where.Offset, std::max<int64_t>(Stride, 1)})});
  Places.push_back(All);
  insert(Node, All);
}

void Graph::addToken(uint32_t Node, uint32_t T) {
  Node = find(Node);
  State &S = Nodes[Node];
  if (S.Known.contains(T))
    return;
  const Token New = Tokens[T];
  switch (New.Is) {
  case Token::Kind::Anything:
    addAnything(Node, 0);
    return;
  case Token::Kind::Memory:
    addMemory(Node, T);
    return;
  case Token::Kind::Integer:
    if (New.Id) {
      insert(Node, T);
      return;
    }
    if (S.Anything || covers(S, New))
      return;
    if (T == AnyInteger)
      S.AnyInteger = true;
    else if (New.Where.Stride)
      S.Progressions.push_back(T);
    else
      ++S.Numbers;
    insert(Node, T);
    if (!S.AnyInteger && (S.Numbers > MostNumbers || S.Progressions.size() > 1))
      widenNumbers(Node);
    return;
  default:
    insert(Node, T);
  }
}

void Graph::addCopy(uint32_t From, uint32_t To) {
  From = find(From);
  To = find(To);
  if (From == To || !Edges.insert({From, To}).second)
    return;
  Nodes[From].Copies.push_back(To);
  for (size_t I = 0; I < Nodes[From].Handled; ++I) {
    uint32_t T = Nodes[From].List[I];
    if (T == Anything)
      addAnything(To, Nodes[From].Why);
    else
      addToken(To, T);
  }
}

void Graph::addDerived(uint32_t From, uint32_t To) {
  From = find(From);
  To = find(To);
  if (Derived.insert({From, To}).second)
    addRule(From, {Rule::Kind::Derive, To});
}

void Graph::addRule(uint32_t Node, const Rule &R) {
  Node = find(Node);
  Nodes[Node].Rules.push_back(R);
  if (R.Is == Rule::Kind::Binary) {
    queue(Node);
    return;
  }
  // Applying may add tokens here, which are handled later, and merge nothing.
  for (size_t I = 0; I < Nodes[Node].Handled; ++I)
    Owner.apply(R, Node, Nodes[Node].List[I]);
}

void Graph::handle(uint32_t Node) {
  State &S = Nodes[Node];
  S.Queued = false;
  size_t From = S.Handled, To = S.List.size();
  S.Handled = To;
  for (size_t C = 0; C < S.Copies.size(); ++C) {
    uint32_t Next = find(S.Copies[C]);
    if (Next == Node)
      continue;
    for (size_t I = From; I < To; ++I) {
      if (S.List[I] == Anything)
        addAnything(Next, S.Why);
      else
        addToken(Next, S.List[I]);
    }
  }
  // A rule that comes meanwhile has been applied to what is handled.
  for (size_t R = 0, End = S.Rules.size(); R < End; ++R) {
    const Rule Each = S.Rules[R];
    if (Each.Is == Rule::Kind::Binary) {
      Owner.combine(Each);
      continue;
    }
    for (size_t I = From; I < To; ++I)
      Owner.apply(Each, Node, S.List[I]);
  }
}

bool Graph::solve(uint64_t Steps, uint64_t Most) {
  while (!Work.empty()) {
    if (Done >= Steps || Held > Most)
      return false;
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
