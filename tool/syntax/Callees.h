// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of functions by their names, or by how they are declared.

#ifndef MPISHM_TOOL_SYNTAX_CALLEES_H
#define MPISHM_TOOL_SYNTAX_CALLEES_H

#include "syntax/Places.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace mpishm {

/// A function of the C or C++ library that hands out, copies or forgets memory without looking at what is in it.
enum class MemoryFunction { None, Fresh, Copied, Other };

/// What \p F is; only library functions are any.
MemoryFunction memoryFunctionOf(const clang::FunctionDecl *F, const Places &Where);

/// The MPI function (MPI_, PMPI_ or MPISHM_ spelling) that \p F declares, as spelled, or an empty string.
llvm::StringRef mpiNameOf(const clang::FunctionDecl *F);

using Functions = llvm::SmallVector<const clang::FunctionDecl *, 2>;

/// What the standard library may call when it is given \p E: a function, or the call operators of a closure or function
/// object, each instantiation of a generic one.
Functions callablesOf(const clang::Expr *E);

/// True when \p F may be called where a constant is needed: it says constexpr, or stands in a function that does.
bool mayBeConstant(const clang::FunctionDecl *F);

} // namespace mpishm

#endif
