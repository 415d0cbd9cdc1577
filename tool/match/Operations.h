// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that classes are made of.

#ifndef MPISHM_TOOL_MATCH_OPERATIONS_H
#define MPISHM_TOOL_MATCH_OPERATIONS_H

#include "program/Program.h"
#include <set>

namespace mpishm {

/// A call that sends, receives or probes, or a collective or a call on windows, which do nothing of that.
struct Operation {
  unsigned Call = 0; ///< into Program::Calls
  Part In = Shared;
  // As IrClasses::partition finds them:
  bool Wildcard = false;     ///< may receive from any source or with any tag
  bool OnWorld = false;      ///< its communicator may be MPI_COMM_WORLD or MPI_COMM_SELF
  std::set<unsigned> Makers; ///< of its communicator (into Program::Calls)
  unsigned Class = 0;
};

/// The operations of \p P in the order of their places, in no class yet.
std::vector<Operation> findOperations(const Program &P);

} // namespace mpishm

#endif
