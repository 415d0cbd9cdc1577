// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values a tag or a rank may have: constants where there are few, and whether it may be a wildcard.

#ifndef MPISHM_TOOL_MATCH_INTEGERS_H
#define MPISHM_TOOL_MATCH_INTEGERS_H

#include "match/Program.h"
#include <set>

namespace mpishm {

/// What an integer may be. No values at all: only ever MPI_PROC_NULL.
struct IntegerValues {
  std::set<int64_t> Constants;
  bool Computed = false;  ///< any value but a wildcard
  bool AnySource = false; ///< may be MPI_ANY_SOURCE
  bool AnyTag = false;    ///< may be MPI_ANY_TAG

  /// True when Constants are all that it may be.
  bool isListed() const { return !Computed && !AnySource && !AnyTag && !Constants.empty(); }
  /// Adds \p Other; true when that changed something.
  bool add(const IntegerValues &Other);
};

/// The values of all objects: the least fixpoint along the flows.
///
/// The object "wildcard:escaped" gathers the wildcards that go where collect does not follow; whatever comes from there
/// (Operand::Kind::Unknown, results and output arguments of functions that we do not see) may be one of them.
class IntegerFacts {
public:
  explicit IntegerFacts(const Program &P);

  /// What an argument with these \p Operands may be.
  IntegerValues valuesOf(const std::vector<Operand> &Operands) const;

private:
  void addSource(unsigned To, const Operand &From);
  void addEdges();
  void addForeignValues();
  IntegerValues valueOf(const Operand &O) const;
  void solve();
  void propagate(std::vector<unsigned> Work);

  const Program &P;
  unsigned Escaped; ///< node of "wildcard:escaped"
  std::vector<IntegerValues> Values;
  std::vector<std::vector<unsigned>> Successors;
};

} // namespace mpishm

#endif
