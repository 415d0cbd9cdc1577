// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forgets what goes through the program's own layers over malloc and free.

#ifndef MPISHM_TOOL_MATCH_MEMORY_H
#define MPISHM_TOOL_MATCH_MEMORY_H

#include "match/Program.h"

namespace mpishm {

/// Drops from \p P the flows through parameters and results that are not MemoryUse::Bytes according to all of \p Uses,
/// and the escapes that count only where bytes are used.
void forgetMemory(Program &P, const std::vector<MemoryUse> &Uses);

} // namespace mpishm

#endif
