// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_POINTERS_WRAPPERS_H
#define MPISHM_TOOL_POINTERS_WRAPPERS_H

#include "pointers/Pointers.h"

namespace mpishm {

/// What is known of \p F, a definition of a function that returns a pointer, when all that its body does with memory
/// that it allocates is to return it; else an entry with neither Makes nor Calls. Whether the functions that it calls
/// in turn are wrappers is for `match` to say.
AllocationWrapper wrapperOf(const clang::FunctionDecl *F, const Places &Where, PointerNodes &Nodes);

} // namespace mpishm

#endif
