// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of libraries do with pointers that they are given.

#ifndef MPISHM_TOOL_POINTERS_ALLOCATIONS_H
#define MPISHM_TOOL_POINTERS_ALLOCATIONS_H

#include "syntax/Places.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace mpishm {

/// A function that makes memory or gives it back.
struct MemoryRow {
  llvm::StringLiteral Name; ///< "malloc"
  llvm::StringLiteral New;  ///< "MPISHM_Malloc"; empty when the runtime has no counterpart
  enum class Result { None, Value, FirstArgument } Makes; ///< where the pointer to new memory is
  std::optional<unsigned> GivesBack;                      ///< the argument that is given back
};

/// The row of \p F, or of the counterpart that \p F is; null for another function and for one of the program's own.
const MemoryRow *memoryRowOf(const clang::FunctionDecl *F, const Places &Where);

/// True for functions of the C library that may make a process with copies of what this one has, and do not tell those
/// who ask by pthread_atfork, as the runtime does: `_Fork`, `clone`, `syscall`.
bool mayForkUntold(const clang::FunctionDecl *F, const Places &Where);

/// True when \p Call is one of `syscall` with a number that is known to make no process.
bool isOtherThanFork(const clang::CallExpr *Call, const clang::ASTContext &Context);

/// True when \p F is the runtime's.
bool isOfRuntime(const clang::FunctionDecl *F);

/// True for the names of these functions.
bool isMemoryName(llvm::StringRef Name);

/// True for the names that are written where memory is moved.
bool isNameOfEdits(llvm::StringRef Name);

/// What becomes of the pointers that a function of the C library or MPI is given.
enum class Keeping : uint8_t {
  Unknown,      ///< it may do with them what it likes
  Nothing,      ///< it looks at the memory and forgets the pointers; a pointer that it returns is none of these
  ReturnsFirst, ///< the same, but it may return the first argument, or a pointer into it
  Copies,       ///< the same; and it copies what the second points to, to what the first does
  PointsInto,   ///< it stores a pointer into the first argument's memory where the second says
  Splits,       ///< it returns a pointer into the text of the first argument, or of where it went on last; where that
                ///< is, the third says, the first, or nobody
  Computes,     ///< it reads and writes the memory as numbers and forgets the pointers
  Exchanges,    ///< what the first argument points to may be any other, and what was there is returned
  Sorts,        ///< it calls its fourth argument with addresses in the first one's memory, and with a fifth argument
  Searches,     ///< it calls its fifth with the first and addresses in the second one's memory, and returns such
  Starts        ///< it calls its last but one with the last, in a thread
};
Keeping keepingOf(const clang::FunctionDecl *F, const Places &Where);

} // namespace mpishm

#endif
