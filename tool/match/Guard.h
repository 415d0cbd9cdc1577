// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the net cannot guard at run time, although the reasons for which classes are open do not say so.
//
// Where the net (docs/net.md) is in force on all ranks, it serves every call of a function that it defines, whether the
// call was rewritten or not; where it is not, a program that is marked sends nothing through shared memory. So a class
// that is not proved can be rewritten all the same, but not when
//
//   * the program goes round the net: it calls a function by its PMPI_ name (or seems to, in a source that was not
//     read), or defines one itself;
//   * not every call that sets the runtime up can be marked, or none is in sight, or main is not;
//   * a request may leave our sight and come to a completion call that has no counterpart;
//   * a call that makes windows keeps its name: the net makes none, and all members have to make one alike.

#ifndef MPISHM_TOOL_MATCH_GUARD_H
#define MPISHM_TOOL_MATCH_GUARD_H

#include "match/Openers.h"

namespace mpishm {

/// Why classes cannot be guarded, per class, whatever is known of values.
std::vector<std::vector<Finding>> findUnguarded(const Analysis &A);

/// The same, by what the analysis of LLVM IR says of values.
std::vector<std::vector<Finding>> findUnguardedByIr(const Analysis &A);

/// True when \p C sets the runtime up, or will once it is renamed.
bool setsUp(const ProgramCall &C);

/// True when the programs of \p In can be marked as Wanted: all that sets the runtime up is in sight and can be
/// renamed.
bool canBeMarked(const Analysis &A, Part In, Marks Wanted);

/// The first receive of each class that may be from any source or with any tag.
std::map<unsigned, const ProgramCall *> firstWildcards(const Analysis &A);

/// True for sends that may have to wait for their receive: MPI_Ssend, MPI_Issend, ...
bool isSynchronousSend(const ProgramCall &C);

} // namespace mpishm

#endif
