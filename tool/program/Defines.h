// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that a macro prints (`CHECK(MPI_Isend(...))` with `#call`) or pastes together (`MPI_##call`), or in whose lines
// columns are read: a #define replaces the function and not the text.

#ifndef MPISHM_TOOL_PROGRAM_DEFINES_H
#define MPISHM_TOOL_PROGRAM_DEFINES_H

#include "facts/Facts.h"
#include <vector>

namespace mpishm {

/// Has the calls by a name that a macro prints or pastes together stand for one place where it is defined as another
/// (Call::Defined), as those in a macro of the program do for its body. That is so where a #define in the unit's own
/// file concerns nothing but calls that can be replaced: the name stands for nothing else in that file, and in no other
/// that such a unit reads. Where it is not so for all calls by a name that macros print, each stands alone in its lines
/// and is defined there (Call::Lines), or none.
void findDefined(std::vector<UnitFacts> &Units);

} // namespace mpishm

#endif
