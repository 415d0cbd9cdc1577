// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that are arrays, whether their pages could be memory of the window.
//
// The array stays what it is, at its address: so nothing that is done with it matters, and only its declaration is
// looked at. It must be one for the whole run. An automatic array of main is, once it is made static, when main is not
// called again and nothing depends on its being automatic.

#ifndef MPISHM_TOOL_POINTERS_ARRAYS_H
#define MPISHM_TOOL_POINTERS_ARRAYS_H

#include "pointers/PointerNodes.h"
#include "syntax/Types.h"

namespace mpishm {

/// Adds to the facts of \p Nodes the arrays of the unit \p Context, and where it names main.
void collectArrays(clang::ASTContext &Context, const Places &Where, Types &Typing, PointerNodes &Nodes);

} // namespace mpishm

#endif
