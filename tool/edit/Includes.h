// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where <mpishm.h> is included, and under which condition: where mpi.h is, and where the calls stand. The condition is
// evaluated where the include stands, so that one that is copied from elsewhere may be another there. What mpi.h itself
// defines tells for sure whether it is in sight, however its own include came about.

#ifndef MPISHM_TOOL_EDIT_INCLUDES_H
#define MPISHM_TOOL_EDIT_INCLUDES_H

#include "edit/Sight.h"
#include <string>
#include <vector>

namespace mpishm {

/// A name of the runtime that the edits put into a file.
struct NewName {
  uint32_t Offset = 0;
  std::string Name; ///< "MPISHM_Isend", "MPISHM_Free"
};

/// Text to insert before the byte at Offset.
struct IncludeInsertion {
  uint32_t Offset = 0;
  std::string Text;
};

/// That of the first line of \p Text.
llvm::StringRef lineEndOf(llvm::StringRef Text);

/// The lines that are put around the include, and for names that a build without MPI compiles as well. --undo knows
/// them by these.
inline constexpr char WhereMpiIs[] = "#ifdef MPI_VERSION", WhereWeAreNot[] = "#ifndef MPISHM_H";

/// What follows them, with a number, where lines behind them have to keep theirs.
inline constexpr char NextLineIs[] = "#line ";

/// The line that has the one at \p Offset of \p Text keep its number behind lines that are inserted there; empty where
/// no number counts from there on.
std::string numberOfNext(llvm::StringRef Path, llvm::StringRef Text, uint32_t Offset, const Sights &Look);

/// Where a file must include <mpishm.h> so that the names \p Uses (at least one) are declared: directly after its own
/// include of mpi.h, or of the header that brings it, in the same conditional; where it has none, after its includes.
/// Where another build of the file may have no mpi.h, names of memory that it compiles mean those of the C library
/// there. Empty when it includes mpishm.h already. Line ends are those of the file.
/// Lines whose numbers count keep them.
std::vector<IncludeInsertion> placesForInclude(llvm::StringRef Path, llvm::StringRef Text, llvm::ArrayRef<NewName> Uses,
                                               Sights &Look);

} // namespace mpishm

#endif
