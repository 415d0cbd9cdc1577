// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Integers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

/// More different constants than this are as good as any value: tags that distinguish messages are few.
static constexpr size_t MaxConstants = 16;

bool IntegerValues::add(const IntegerValues &Other) {
  IntegerValues Before = *this;
  Computed |= Other.Computed;
  AnySource |= Other.AnySource;
  AnyTag |= Other.AnyTag;
  if (!Computed) {
    Constants.insert(Other.Constants.begin(), Other.Constants.end());
    Computed = Constants.size() > MaxConstants;
  }
  if (Computed)
    Constants.clear();
  return Before.Computed != Computed || Before.AnySource != AnySource || Before.AnyTag != AnyTag ||
         Before.Constants.size() != Constants.size();
}

IntegerFacts::IntegerFacts(const Program &Whole) : P(Whole), Escaped(Whole.Objects.size()) {
  for (auto [Index, O] : llvm::enumerate(P.Objects))
    if (O.Id == EscapedIntegersId)
      Escaped = Index;
  Values.resize(P.Objects.size() + 1);
  Successors.resize(P.Objects.size() + 1);
  addEdges();
  addForeignValues();
  solve();
}

/// \p To may be what \p From is.
void IntegerFacts::addSource(unsigned To, const Operand &From) {
  if (From.Which == Operand::Kind::Object)
    Successors[From.ObjectIndex].push_back(To);
  else
    Values[To].add(valueOf(From));
  if (From.Which == Operand::Kind::Unknown)
    Successors[Escaped].push_back(To);
}

void IntegerFacts::addEdges() {
  auto Add = [&](unsigned To, const Operand &From, bool Both) {
    addSource(To, From);
    if (Both && From.Which == Operand::Kind::Object)
      Successors[To].push_back(From.ObjectIndex);
  };
  for (const Flow &F : P.Flows)
    Add(F.To, F.From, F.Both);
  for (const Argument &A : P.Arguments) {
    if (P.isSeen(A.Callee)) {
      Add(A.Parameter, A.Value, A.Both);
      continue;
    }
    addSource(Escaped, A.Value);
    if (A.Both && A.Value.Which == Operand::Kind::Object)
      addSource(A.Value.ObjectIndex, Operand());
  }
}

/// What objects may hold that come from code which we do not see.
void IntegerFacts::addForeignValues() {
  IntegerValues Anything;
  Anything.Computed = Anything.AnySource = Anything.AnyTag = true;
  for (auto [Index, O] : llvm::enumerate(P.Objects)) {
    llvm::StringRef Function = functionOfParameter(O), Result = functionOfResult(O);
    if ((O.External && !P.isSeen(O.Id)) || (!Result.empty() && !P.isSeen(Result)) || Function.starts_with("indirect:"))
      addSource(Index, Operand());
    // Code outside the database has the wildcards of mpi.h at hand.
    else if (!P.IsWhole && Result.empty() && isExternal(O.Id))
      Values[Index].add(Anything);
  }
}

void IntegerFacts::solve() {
  std::vector<unsigned> Work(Values.size());
  for (unsigned I = 0; I < Work.size(); ++I)
    Work[I] = I;
  propagate(std::move(Work));
  // What has no values by now is not set where we see it: it may be anything, but who could give it a wildcard?
  std::vector<unsigned> Unset;
  for (auto [Index, V] : llvm::enumerate(Values))
    if (Index != Escaped && !V.Computed && !V.AnySource && !V.AnyTag && V.Constants.empty()) {
      V.Computed = true;
      Unset.push_back(Index);
    }
  propagate(std::move(Unset));
}

void IntegerFacts::propagate(std::vector<unsigned> Work) {
  while (!Work.empty()) {
    unsigned Node = Work.back();
    Work.pop_back();
    for (unsigned To : Successors[Node])
      if (To != Node && Values[To].add(Values[Node]))
        Work.push_back(To);
  }
}

IntegerValues IntegerFacts::valueOf(const Operand &O) const {
  IntegerValues V;
  switch (O.Which) {
  case Operand::Kind::Object:
    return Values[O.ObjectIndex];
  case Operand::Kind::Constant:
    V.Constants.insert(O.Value);
    break;
  case Operand::Kind::AnySource:
    V.AnySource = true;
    break;
  case Operand::Kind::AnyTag:
    V.AnyTag = true;
    break;
  case Operand::Kind::Unknown:
    V = Values[Escaped];
    V.Computed = true;
    V.Constants.clear();
    break;
  case Operand::Kind::ProcNull:
  case Operand::Kind::Null:
    break;
  case Operand::Kind::World:
  case Operand::Kind::Self:
  case Operand::Kind::Computed:
    V.Computed = true;
    break;
  }
  return V;
}

IntegerValues IntegerFacts::valuesOf(const std::vector<Operand> &Operands) const {
  IntegerValues V;
  for (const Operand &O : Operands)
    V.add(valueOf(O));
  return V;
}
