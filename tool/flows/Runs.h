// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that always follow one another.

#ifndef MPISHM_TOOL_FLOWS_RUNS_H
#define MPISHM_TOOL_FLOWS_RUNS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <string>

namespace mpishm {

/// Names the *run* of statements that \p E stands in: whoever executes one statement of a run executes all of it, in
/// order. Empty when E is executed on a condition of its own, or when the question is too hard.
std::string runOf(const clang::Expr *E, const clang::FunctionDecl *F, const clang::ASTContext &Context);

} // namespace mpishm

#endif
