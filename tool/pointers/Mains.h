// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What main must be for its automatic variables to be made static, unnoticed.

#ifndef MPISHM_TOOL_POINTERS_MAINS_H
#define MPISHM_TOOL_POINTERS_MAINS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace mpishm {

/// What is in the body of main.
struct MainReading {
  /// Something that is not known to do the same with a static variable as with an automatic one. A closure has a copy
  /// of the latter alone, so has an OpenMP task; what is not known counts as such.
  bool TellsStorage = false;
  bool ComesAgain = false; ///< a label, or a call that returns twice: what stands in no loop may still be met again
};

MainReading readMain(const clang::FunctionDecl *Main);

/// True when \p Value may initialise a static variable, by the strict rules of C, and gives it what it would give an
/// automatic one.
bool isStrictConstant(const clang::Expr *Value, clang::ASTContext &Context);

/// True when \p Text, of assembly code, has the word `main` in it.
bool namesMain(llvm::StringRef Text);

} // namespace mpishm

#endif
