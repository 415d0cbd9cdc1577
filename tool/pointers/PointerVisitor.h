// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_POINTERS_POINTERVISITOR_H
#define MPISHM_TOOL_POINTERS_POINTERVISITOR_H

#include "syntax/Places.h"
#include "syntax/Types.h"

namespace mpishm {

/// Adds to \p Facts what the unit \p Context says of pointers.
void collectPointers(clang::ASTContext &Context, const Places &Where, Types &Typing, PointerFacts &Facts);

} // namespace mpishm

#endif
