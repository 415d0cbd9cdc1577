// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values a tag or a rank may have: constants where there are few, else the numbers with one remainder (the odd
// ones, say), and whether it may be a wildcard.

#ifndef MPISHM_TOOL_MATCH_INTEGERS_H
#define MPISHM_TOOL_MATCH_INTEGERS_H

#include "match/Program.h"
#include <optional>
#include <set>
#include <tuple>

namespace mpishm {

/// What an integer may be. No values at all: only ever MPI_PROC_NULL.
struct IntegerValues {
  /// The numbers First + k * Step for all integers k: one number when Step is 0, all when it is 1.
  struct Progression {
    int64_t Step = 0, First = 0; ///< 0 <= First < Step unless Step is 0
    bool meets(const Progression &Other) const;
    bool operator<(const Progression &Other) const { return std::tie(Step, First) < std::tie(Other.Step, Other.First); }
  };

  std::set<int64_t> Constants;
  /// Numbers that are not listed, but never a wildcard; Constants are empty then.
  std::optional<Progression> Computed;
  bool AnySource = false; ///< may be MPI_ANY_SOURCE
  bool AnyTag = false;    ///< may be MPI_ANY_TAG

  bool isEmpty() const { return Constants.empty() && !Computed && !AnySource && !AnyTag; }
  /// Adds \p Other; true when that changed something.
  bool add(const IntegerValues &Other);
  /// All values, wildcards as any number.
  std::vector<Progression> progressions() const;
  /// Any number but a wildcard.
  static IntegerValues anyNumber();
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
  void addSums();
  IntegerValues valueOf(const Sum &S) const;
  void solve();
  void propagate(std::vector<unsigned> Work);

  const Program &P;
  unsigned Escaped; ///< node of "wildcard:escaped"
  std::vector<IntegerValues> Values;
  std::vector<std::vector<unsigned>> Successors;
  std::vector<std::vector<unsigned>> SumsWith; ///< per node: sums that it is a term of, into Program::Sums
};

} // namespace mpishm

#endif
