// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_PROGRAM_TRUSTED_H
#define MPISHM_TOOL_PROGRAM_TRUSTED_H

#include "facts/Facts.h"

namespace mpishm {

/// How far a function out of sight is trusted neither to use the communicators and requests that it is given nor to
/// keep them (but a duplicate).
enum class Trust { None, MayStore /**< it may store a communicator through a pointer */, Full };

/// As its library's documentation says.
Trust trustIn(const LibraryFunction &F);

} // namespace mpishm

#endif
