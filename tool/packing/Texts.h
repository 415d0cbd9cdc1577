// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What expressions name, and whether they can be written elsewhere.

#ifndef MPISHM_TOOL_PACKING_TEXTS_H
#define MPISHM_TOOL_PACKING_TEXTS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <optional>
#include <string>

namespace mpishm {

/// The variable that \p E names, read or not.
const clang::VarDecl *variableIn(const clang::Expr *E);

/// Whether all that \p E names is there at the beginning of \p Before, too.
bool isVisibleBefore(const clang::Stmt *E, const clang::Stmt *Before, const clang::ASTContext &Context);

/// What stands between the ends of \p First and \p Last in their file, where that is one line, without comments and
/// macros that have arguments; else nothing.
std::optional<std::string> plainText(const clang::Expr *First, const clang::Expr *Last,
                                     const clang::ASTContext &Context);

} // namespace mpishm

#endif
