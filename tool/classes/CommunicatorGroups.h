// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which communicators may be one.
//
// Calls of one maker whose parents may be the same communicator may be one collective call, that different ranks come
// to in different places, unless they stand in one run of statements: what they make is one communicator then, and they
// are a group.

#ifndef MPISHM_TOOL_CLASSES_COMMUNICATORGROUPS_H
#define MPISHM_TOOL_CLASSES_COMMUNICATORGROUPS_H

#include "classes/ValueClasses.h"
#include "models/Analysis.h"
#include <map>
#include <set>
#include <vector>

namespace mpishm::ir {

/// How match knows \p C; none when it is called by its address, or by another name.
std::optional<CallName> nameOf(const LinkedProgram &P, const MpiCall &C);

/// The communicators of a program that \p Analysis has followed, which must outlive this.
class CommunicatorGroups {
public:
  /// \p Runs as in ClassesOptions.
  CommunicatorGroups(const LinkedProgram &Program, const Analysis &Values, const std::map<CallName, std::string> &Runs);

  /// The group of \p T; none where it is no communicator. 0 and 1 are MPI_COMM_WORLD and MPI_COMM_SELF.
  std::optional<uint32_t> of(const Token &T) const;

  /// One of the calls that make communicators of this number (MpiCall::Number).
  const MpiCall &maker(uint32_t Number) const { return *MakerOf.at(Number); }

  std::vector<MakerGroup> groups() const;

private:
  bool joinMakers();
  bool areOneRun(const std::set<uint32_t> &Makers) const;
  bool join(const std::set<uint32_t> &Makers);

  const LinkedProgram &P;
  const Analysis &A;
  const std::map<CallName, std::string> &Runs;
  const Analysis::Entries Entries;
  std::map<uint32_t, const MpiCall *> MakerOf; ///< by number
  std::map<uint32_t, uint32_t> GroupOf;        ///< by the same
};

} // namespace mpishm::ir

#endif
