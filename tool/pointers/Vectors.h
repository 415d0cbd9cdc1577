// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and members that are a std::vector of numbers, whether its allocator could be another.
//
// To name an allocator makes another type of it. That can be seen nowhere else when each variable and member is used
// only by functions of its own whose types do not name the vector's (v[i], data, size, resize, push_back), by loops
// over its elements, by references to it that are declared with its type, and by functions of the standard library that
// are given its iterators. All that share one written type, or refer to one another, change together.

#ifndef MPISHM_TOOL_POINTERS_VECTORS_H
#define MPISHM_TOOL_POINTERS_VECTORS_H

#include "pointers/PointerNodes.h"
#include "syntax/Types.h"

namespace mpishm {

/// Adds to the facts of \p Nodes what the unit \p Context, of C++, says of vectors.
void collectVectors(clang::ASTContext &Context, const Places &Where, Types &Typing, PointerNodes &Nodes);

} // namespace mpishm

#endif
