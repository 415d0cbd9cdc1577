// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and members that are a std::vector of numbers, whether its allocator could be another.
//
// To name an allocator makes another type of it. That can be seen nowhere else when each variable and member is used
// only by functions of its own whose types do not name the vector's (v[i], data, size, resize, push_back), by loops
// over its elements, by references to it that are declared with its type, and by functions of the standard library that
// are given its iterators. All that share one written type, or refer to one another, change together. Vectors, arrays
// and maps of vectors are nests, of which the innermost vectors get the allocator, see VectorNests.cpp.

#ifndef MPISHM_TOOL_VECTORS_VECTORS_H
#define MPISHM_TOOL_VECTORS_VECTORS_H

#include "facts/PointerFacts.h"
#include "syntax/Places.h"
#include "syntax/Types.h"

namespace mpishm {

/// The node of the elements of a variable or member, which is a vector.
using ElementsOf = llvm::function_ref<PointerNodeIndex(const clang::ValueDecl *)>;

/// Adds to \p Facts what the unit \p Context, of C++, says of vectors.
void collectVectors(clang::ASTContext &Context, const Places &Where, Types &Typing, PointerFacts &Facts,
                    ElementsOf Elements);

} // namespace mpishm

#endif
