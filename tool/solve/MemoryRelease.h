// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_SOLVE_MEMORYRELEASE_H
#define MPISHM_TOOL_SOLVE_MEMORYRELEASE_H

#include "facts/Place.h"
#include <string>

namespace mpishm::ir {

/// A place of the program where what a call has allocated may be given back, by the lines of both.
struct MemoryRelease {
  Place Made;     ///< the call or expression, without offset
  Place Released; ///< the same; without a column where that is not known
  /// Empty when the program gives it back there. Else how a copy of its address gets out of sight there, to code that
  /// may do so: words that follow "a copy of its address".
  std::string Out;
};

} // namespace mpishm::ir

#endif
