// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments that ask to leave calls alone: `mpishm: keep`, in // or /* */.

#ifndef MPISHM_TOOL_SYNTAX_KEEP_H
#define MPISHM_TOOL_SYNTAX_KEEP_H

#include "syntax/Places.h"
#include "clang/AST/Expr.h"

namespace mpishm {

/// The comment that \p Call, whose name token is at \p Name, is kept by; none if there is none. It stands on a line of
/// the call or in the comment directly before it; directly before the definition of a function around it (\p Enclosing,
/// may be null), or in the comments at the beginning of its file. For a name in the body of a macro, the lines of the
/// macro's definition count as well.
std::optional<Place> keptBy(clang::SourceLocation End, clang::SourceLocation Name, const clang::FunctionDecl *Enclosing,
                            const Places &Where); ///< of a declaration
std::optional<Place> keptBy(const clang::Expr *Call, clang::SourceLocation Name, const clang::FunctionDecl *Enclosing,
                            const Places &Where);

} // namespace mpishm

#endif
