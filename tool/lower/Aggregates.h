// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records that IR loads and stores as single values, as Clang does with pointers to members.

#ifndef MPISHM_TOOL_LOWER_AGGREGATES_H
#define MPISHM_TOOL_LOWER_AGGREGATES_H

namespace llvm {
class Module;
}

namespace mpishm {

/// Has each field of such a record loaded and stored by itself, so that the analysis can tell them apart. What reads
/// and writes the record as a whole, so that nobody sees it half written, is left.
void splitAggregates(llvm::Module &M);

/// Makes `r->array + i` what `&r->array[i]` is in \p M, an address in that array, before simplification takes away that
/// it was one.
void keepArrays(llvm::Module &M);

} // namespace mpishm

#endif
