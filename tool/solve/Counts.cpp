// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and messages that are as long as a number says which the program computes, or of a datatype that it chooses.

#include "solve/Solver.h"

using namespace mpishm;
using namespace mpishm::ir;

/// \p R does something for each number, or datatype, that \p Node may be.
void Solver::bindCount(uint32_t Node, const Rule &R) {
  G.addRule(Node, R);
  Counts.push_back({Node, R});
}

/// A count that nothing is known to come to is unknown. False when there is nothing new.
bool Solver::settleCounts() {
  const uint32_t Any = G.number({Token::Kind::Integer, 0, {0, 1}});
  std::vector<std::pair<uint32_t, Rule>> Bound;
  std::swap(Bound, Counts);
  bool New = false;
  for (const auto &[Node, R] : Bound)
    if (G.tokensOf(Node).empty() && !G.isAnything(Node)) {
      apply(R, Node, Any);
      New = true;
    }
  return New;
}

/// A copy whose arguments say where to, from where, and how many bytes.
void Solver::copyCounted(const CallPlace &At, unsigned To, unsigned From, unsigned Count) {
  bindCount(argument(At, Count), {Rule::Kind::CopyCounted, argument(At, To), argument(At, From), NoNode, 1});
}

/// As many elements at the argument \p Address of \p At as the two after it say, one how many bytes each has, the other
/// how many there are, go in bits to \p Out or come from \p In, if not NoNode.
void Solver::exchangeElements(const CallPlace &At, unsigned Address, uint32_t Out, uint32_t In) {
  constexpr int64_t Most = 1 << 30; // so that nothing overflows
  unsigned Counted = Address + 2;
  std::optional<int64_t> Each = literal(At, Address + 1);
  if (!Each) {
    Counted = Address + 1;
    Each = literal(At, Address + 2);
  }
  const bool IsKnown = Each && *Each >= 0 && *Each <= Most;
  if (Out != NoNode)
    IsKnown ? bindCount(argument(At, Counted), {Rule::Kind::ReadCounted, argument(At, Address), Out, NoNode, *Each})
            : contents(argument(At, Address), Out, Unknown);
  if (In != NoNode)
    IsKnown ? bindCount(argument(At, Counted), {Rule::Kind::FillCounted, argument(At, Address), In, NoNode, *Each})
            : fill(argument(At, Address), In, Unknown);
}

/// A copy, fill or reading of so many times \p R.A bytes as \p Count is, one of the numbers that may be their count. Of
/// several the largest stands for all, but of many nothing is known: clones have one, mostly.
void Solver::doCounted(const Rule &R, const Token &Count) {
  constexpr int64_t Most = 1 << 30; // so that nothing overflows
  constexpr unsigned Many = 8;
  bool Known = Count.Is == Token::Kind::Integer && !Count.Id && Count.Where.isExact() && Count.Where.Offset >= 0 &&
               Count.Where.Offset <= Most;
  int64_t Length = Known ? Count.Where.Offset * R.A : Unknown;
  if (Length == 0)
    return;
  Counted &Before = CountedWrites[{R.Is, R.To, R.Other, R.A, R.C}];
  if (Before.Times && (Before.Length == Unknown || (Length != Unknown && Length <= Before.Length)))
    return;
  Length = Before.Length = ++Before.Times < Many ? Length : Unknown;
  if (R.Is == Rule::Kind::ReadCounted)
    contents(R.To, R.Other, Length);
  else
    R.Is == Rule::Kind::CopyCounted ? copyMemory(R.To, R.Other, Length) : fill(R.To, R.Other, Length, R.C);
}
