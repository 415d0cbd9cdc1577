// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that always follow one another.

#ifndef MPISHM_TOOL_SITES_RUNS_H
#define MPISHM_TOOL_SITES_RUNS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <string>

namespace mpishm {

/// Names the *run* of statements that \p E stands in, a call that makes a communicator of \p Communicator (null: of
/// none): whoever executes one statement of a run executes all of it, in order, before any of it again, and with the
/// same communicator. Empty when E is executed on a condition of its own, or when the question is too hard.
///
/// A call of a function that may throw, jump or come to the run again breaks it: all but those of MPI and of the C
/// library. What these call, or what is executed when the program ends, is not thought of (CommunicatorGroups does).
std::string runOf(const clang::Expr *E, const clang::Expr *Communicator, const clang::FunctionDecl *F,
                  clang::ASTContext &Context);

} // namespace mpishm

#endif
