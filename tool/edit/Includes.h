// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where <mpishm.h> is included.

#ifndef MPISHM_TOOL_EDIT_INCLUDES_H
#define MPISHM_TOOL_EDIT_INCLUDES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace mpishm {

/// Text to insert before the byte at Offset.
struct IncludeInsertion {
  uint32_t Offset = 0;
  std::string Text;
};

/// Where a file must include <mpishm.h> so that names at the offsets \p Uses (at least one) are declared: directly
/// after its own include of mpi.h, in the same conditional; where it has none, after its includes, under the condition
/// that all uses are under. Empty when it includes mpishm.h already. \p MpiIncludes: offsets inside of the include
/// directives that bring in mpi.h. Line ends are those of the file.
std::vector<IncludeInsertion> placesForInclude(llvm::StringRef Path, llvm::StringRef Text,
                                               llvm::ArrayRef<uint32_t> Uses, llvm::ArrayRef<uint32_t> MpiIncludes);

} // namespace mpishm

#endif
