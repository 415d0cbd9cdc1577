// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all readers of expressions ask of Clang's tree.

#ifndef MPISHM_TOOL_SYNTAX_EXPRESSIONS_H
#define MPISHM_TOOL_SYNTAX_EXPRESSIONS_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace mpishm {

/// The expression that \p E stands for without doing anything to it: inside parentheses, behind a default argument or
/// a template's argument, the chosen one of a generic selection, and the like. Null when there is none.
const clang::Expr *standsFor(const clang::Expr *E);

/// The names of what \p E calls: one, also in (*name)(...), (&name)(...) and (x, name)(...); or those of the functions
/// that conditions choose among, as in (c ? name : other)(...), in their order. Empty when it may be what has no name.
llvm::SmallVector<const clang::DeclRefExpr *, 2> calledNames(const clang::CallExpr *E);

/// The name of what \p E calls, where it is one.
const clang::DeclRefExpr *calledName(const clang::CallExpr *E);

/// The type of the function that \p E calls through a pointer, a pointer to member or a reference; something else than
/// a function's type for a pseudo-destructor.
clang::QualType calledType(const clang::CallExpr *E);

/// The type of the functions with prototype that \p Type points to, over any number of pointers and arrays; null when
/// there is none.
clang::QualType functionIn(clang::QualType Type);

/// What stands directly before the name in \p E and names the namespace that it is looked up in: "mpi::". Empty where
/// there is nothing, and for the global one; none where it is anything but names, colons and spaces in one line.
std::optional<std::string> qualifierOf(const clang::DeclRefExpr *E, const clang::SourceManager &SM);

/// True when no attribute of the variable \p D says more than how it is used; one may have its address handed to a
/// function.
bool hasPlainAttributes(const clang::VarDecl *D);

} // namespace mpishm

#endif
