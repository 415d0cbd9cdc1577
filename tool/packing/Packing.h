// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what is packed directly before it is sent (PackedSend): a call of a function that is defined in the same file,
// and MPI_Isend or MPI_Send behind it, of as many elements as the function writes to the same buffer.

#ifndef MPISHM_TOOL_PACKING_PACKING_H
#define MPISHM_TOOL_PACKING_PACKING_H

#include "facts/PackingFacts.h"
#include "syntax/Places.h"
#include "syntax/Types.h"
#include <vector>

namespace mpishm {

/// Adds those of the unit \p Context. Only what stands in its main file counts.
void collectPacked(clang::ASTContext &Context, const Places &Where, Types &Typing, std::vector<PackedSend> &Packed);

} // namespace mpishm

#endif
