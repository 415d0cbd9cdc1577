// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and messages that are as long as a number says which the program computes, or of a datatype that it chooses.

#include "solve/Analysis.h"

using namespace mpishm;
using namespace mpishm::ir;

/// \p R does something for each number, or datatype, that \p Node may be.
void Analysis::bindCount(uint32_t Node, const Rule &R) {
  G.addRule(Node, R);
  Counts.push_back({Node, R});
}

/// A count that nothing is known to come to is unknown. False when there is nothing new.
bool Analysis::settleCounts() {
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
void Analysis::copyCounted(const CallPlace &At, unsigned To, unsigned From, unsigned Count) {
  bindCount(argument(At, Count), {Rule::Kind::CopyCounted, argument(At, To), argument(At, From), NoNode});
}

/// A copy or fill of so many bytes as \p Count is, one of the numbers that may be their count. Of several it is not
/// asked which: clones have one, mostly.
void Analysis::writeCounted(const Rule &R, const Token &Count) {
  bool Known = Count.Is == Token::Kind::Integer && !Count.Id && Count.Where.isExact() && Count.Where.Offset >= 0;
  int64_t Length = Known ? Count.Where.Offset : Unknown;
  if (Length == 0)
    return;
  auto [It, New] = CountedWrites.try_emplace({R.Is, R.To, R.Other}, Length);
  if (!New && (It->second == Length || It->second == Unknown))
    return;
  Length = It->second = New ? Length : Unknown;
  R.Is == Rule::Kind::CopyCounted ? copyMemory(R.To, R.Other, Length) : fill(R.To, R.Other, Length);
}
