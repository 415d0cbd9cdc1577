// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function does with its variables, as far as its own text says.

#ifndef MPISHM_TOOL_PACKING_USES_H
#define MPISHM_TOOL_PACKING_USES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mpishm {

/// The uses of variables in the body of one function, or in some of its statements.
class Uses {
public:
  explicit Uses(const clang::FunctionDecl *Definition);
  explicit Uses(llvm::ArrayRef<const clang::Stmt *> Statements);

  /// How often \p D is used otherwise than by reading its value: when never, it keeps its first value.
  unsigned changes(const clang::ValueDecl *D) const { return Changes.lookup(D); }
  /// Whether \p D is used otherwise than by reading, stepping or assigning its value: others may change it, too.
  bool isHandedOn(const clang::ValueDecl *D) const { return HandedOn.contains(D); }
  /// How often \p D is named in \p S.
  static unsigned countIn(const clang::Stmt *S, const clang::ValueDecl *D);
  /// Whether \p D is a variable of the function itself, or a parameter, for all of one call: no other call has it.
  static bool isOwn(const clang::ValueDecl *D);
  /// Whether \p S has something in it by which the statements behind it may not be come to, or come to again, or of
  /// which is not known what it does. With \p Breaks, `break` and `continue` count, too.
  static bool mayLeave(const clang::Stmt *S, bool Breaks);

private:
  llvm::DenseMap<const clang::ValueDecl *, unsigned> Changes;
  llvm::DenseSet<const clang::ValueDecl *> HandedOn;
};

} // namespace mpishm

#endif
