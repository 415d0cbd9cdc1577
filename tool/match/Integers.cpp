// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Integers.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mpishm;

/// More different constants than this are as good as any value: tags that distinguish messages are few.
static constexpr size_t MaxConstants = 16;

/// More different sums of constants than this are not listed before they are counted.
static constexpr size_t MaxSums = 256;
/// Steps and numbers beyond this are as good as any: tags are no larger, and products stay exact.
static constexpr int64_t MaxNumber = int64_t(1) << 31;

using Progression = IntegerValues::Progression;

static Progression makeProgression(int64_t Step, int64_t First) {
  if (Step == 0)
    return {0, First};
  if (Step < 0 || Step > MaxNumber)
    return {1, 0};
  return {Step, (First % Step + Step) % Step};
}

/// The smallest progression that has both.
static Progression join(const Progression &A, const Progression &B) {
  auto IsLarge = [](int64_t Value) { return Value <= -MaxNumber || Value >= MaxNumber; };
  if (IsLarge(A.First) || IsLarge(B.First))
    return {1, 0};
  return makeProgression(std::gcd(std::gcd(A.Step, B.Step), A.First - B.First), A.First);
}

static Progression around(const std::set<int64_t> &Constants) {
  Progression Result{0, *Constants.begin()};
  for (int64_t C : Constants)
    Result = join(Result, {0, C});
  return Result;
}

bool Progression::meets(const Progression &Other) const {
  int64_t Common = std::gcd(Step, Other.Step);
  return Common == 0 ? First == Other.First : (First - Other.First) % Common == 0;
}

IntegerValues IntegerValues::anyNumber() {
  IntegerValues V;
  V.Computed = Progression{1, 0};
  return V;
}

bool IntegerValues::add(const IntegerValues &Other) {
  IntegerValues Before = *this;
  AnySource |= Other.AnySource;
  AnyTag |= Other.AnyTag;
  Constants.insert(Other.Constants.begin(), Other.Constants.end());
  if (Other.Computed)
    Computed = Computed ? join(*Computed, *Other.Computed) : *Other.Computed;
  if (Constants.size() > MaxConstants || (Computed && !Constants.empty())) {
    Progression Listed = around(Constants);
    Computed = Computed ? join(*Computed, Listed) : Listed;
    Constants.clear();
  }
  auto Key = [](const IntegerValues &V) {
    return std::tuple(V.Constants.size(), V.Computed.has_value(), V.Computed ? V.Computed->Step : 0, V.AnySource,
                      V.AnyTag);
  };
  return Key(Before) != Key(*this);
}

std::vector<Progression> IntegerValues::progressions() const {
  if (AnySource || AnyTag || isEmpty())
    return {{1, 0}};
  if (Computed)
    return {*Computed};
  std::vector<Progression> Result;
  Result.reserve(Constants.size());
  for (int64_t C : Constants)
    Result.push_back({0, C});
  return Result;
}

/// A + Factor * B. Nothing, as long as nothing is known of one of them.
static IntegerValues addScaled(const IntegerValues &A, const IntegerValues &B, int64_t Factor) {
  IntegerValues Result;
  Result.AnySource = A.AnySource || B.AnySource;
  Result.AnyTag = A.AnyTag || B.AnyTag;
  auto HasNumbers = [](const IntegerValues &V) { return V.Computed || !V.Constants.empty(); };
  if (!HasNumbers(A) || !HasNumbers(B))
    return Result;
  auto IsSmall = [](const IntegerValues &V) {
    return llvm::all_of(V.Constants, [](int64_t C) { return C > -MaxNumber && C < MaxNumber; });
  };
  if (!IsSmall(A) || !IsSmall(B) || Factor <= -MaxNumber || Factor >= MaxNumber) {
    Result.Computed = Progression{1, 0};
    return Result;
  }
  if (!A.Computed && !B.Computed && A.Constants.size() * B.Constants.size() <= MaxSums) {
    for (int64_t X : A.Constants)
      for (int64_t Y : B.Constants)
        Result.Constants.insert(X + Factor * Y);
    if (Result.Constants.size() > MaxConstants) {
      Result.Computed = around(Result.Constants);
      Result.Constants.clear();
    }
    return Result;
  }
  Progression P = A.Computed ? *A.Computed : around(A.Constants), Q = B.Computed ? *B.Computed : around(B.Constants);
  int64_t Step = Factor < 0 ? -Factor * Q.Step : Factor * Q.Step;
  Result.Computed = makeProgression(std::gcd(P.Step, Step), P.First + Factor * Q.First);
  if (Result.Computed->Step == 0) { // a list that was too long
    Result.Constants.insert(Result.Computed->First);
    Result.Computed.reset();
  }
  return Result;
}

IntegerFacts::IntegerFacts(const Program &Whole) : P(Whole), Escaped(Whole.Objects.size()) {
  for (auto [Index, O] : llvm::enumerate(P.Objects))
    if (O.Id == EscapedIntegersId)
      Escaped = Index;
  Values.resize(P.Objects.size() + 1);
  Successors.resize(P.Objects.size() + 1);
  addEdges();
  addForeignValues();
  addSums();
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
  IntegerValues Anything = IntegerValues::anyNumber();
  Anything.AnySource = Anything.AnyTag = true;
  for (auto [Index, O] : llvm::enumerate(P.Objects)) {
    llvm::StringRef Function = functionOfParameter(O), Result = functionOfResult(O);
    if ((O.External && !P.isSeen(O.Id)) || (!Result.empty() && !P.isSeen(Result)) ||
        (Function.starts_with("indirect:") && !isField(O)))
      addSource(Index, Operand());
    // Code outside the database has the wildcards of mpi.h at hand.
    else if (!P.IsWhole && Result.empty() && isExternal(O.Id))
      Values[Index].add(Anything);
  }
}

void IntegerFacts::addSums() {
  SumsWith.resize(Values.size());
  for (auto [Index, S] : llvm::enumerate(P.Sums)) {
    for (const Sum::Term &T : S.Terms) {
      if (T.Value.Which == Operand::Kind::Object)
        SumsWith[T.Value.ObjectIndex].push_back(Index);
      else if (T.Value.Which == Operand::Kind::Unknown)
        SumsWith[Escaped].push_back(Index);
    }
    Values[S.To].add(valueOf(S));
  }
}

IntegerValues IntegerFacts::valueOf(const Sum &S) const {
  IntegerValues V;
  V.Constants.insert(S.Offset);
  for (const Sum::Term &T : S.Terms) {
    IntegerValues Term = valueOf(T.Value);
    if (T.Value.Which != Operand::Kind::Object && Term.isEmpty()) // MPI_PROC_NULL + 1
      Term = IntegerValues::anyNumber();
    V = addScaled(V, Term, T.Factor);
  }
  return V;
}

void IntegerFacts::solve() {
  std::vector<unsigned> Work(Values.size());
  for (unsigned I = 0; I < Work.size(); ++I)
    Work[I] = I;
  propagate(std::move(Work));
  // What has no values by now is not set where we see it: it may be anything, but who could give it a wildcard?
  std::vector<unsigned> Unset;
  for (auto [Index, V] : llvm::enumerate(Values))
    if (Index != Escaped && V.isEmpty()) {
      V = IntegerValues::anyNumber();
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
    for (unsigned Index : SumsWith[Node])
      if (unsigned To = P.Sums[Index].To; Values[To].add(valueOf(P.Sums[Index])))
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
    V.Computed = Progression{1, 0};
    V.Constants.clear();
    break;
  case Operand::Kind::ProcNull:
  case Operand::Kind::Null:
    break;
  case Operand::Kind::World:
  case Operand::Kind::Self:
  case Operand::Kind::Computed:
    V = IntegerValues::anyNumber();
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
