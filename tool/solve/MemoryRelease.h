// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_SOLVE_MEMORYRELEASE_H
#define MPISHM_TOOL_SOLVE_MEMORYRELEASE_H

#include "facts/Place.h"

namespace mpishm::ir {

/// A call of the program that may give back what another has allocated, by the lines of both.
struct MemoryRelease {
  Place Made, Released; ///< the calls or expressions, without offsets; without a column where that is not known
};

} // namespace mpishm::ir

#endif
