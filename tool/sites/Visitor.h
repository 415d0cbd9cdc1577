// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the AST of one unit to its facts.

#ifndef MPISHM_TOOL_SITES_VISITOR_H
#define MPISHM_TOOL_SITES_VISITOR_H

#include "facts/Facts.h"

namespace clang {
class ASTContext;
}

namespace mpishm {

class Emitter;
class Places;
class Types;

/// Emits the facts of the unit in \p Context.
void visitUnit(clang::ASTContext &Context, const Places &Where, Types &Typing, Emitter &Emit);

} // namespace mpishm

#endif
