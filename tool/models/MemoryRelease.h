// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_MODELS_MEMORYRELEASE_H
#define MPISHM_TOOL_MODELS_MEMORYRELEASE_H

#include "facts/Place.h"
#include <memory>
#include <string>
#include <vector>

namespace mpishm::ir {

/// A place of the program where memory may be given back, by its line.
struct MemoryRelease {
  Place Where; ///< the call, without offset, and without a column where that is not known
  /// Empty when the program gives it back there. Else how a copy of its address gets out of sight there, to code that
  /// may do so: words that follow "a copy of its address".
  std::string Out;
};

/// What a call has allocated for one of those who call the function that it is in, and where that may be given back.
struct AllocatedMemory {
  Place Made; ///< the call or expression, without offset
  /// For which call of that function, and that in turn for which, as far as these are told apart: without offsets.
  std::vector<Place> MadeFor;
  std::shared_ptr<const std::vector<MemoryRelease>> Releases; ///< of many the same
};

} // namespace mpishm::ir

#endif
