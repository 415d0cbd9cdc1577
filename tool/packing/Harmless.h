// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether statements in the middle of a function do nothing but read, and compute with variables of the function: what
// is not known to be so is not. What functions that they call do is left to the compiled program to show.

#ifndef MPISHM_TOOL_PACKING_HARMLESS_H
#define MPISHM_TOOL_PACKING_HARMLESS_H

#include "packing/Uses.h"
#include "clang/AST/Stmt.h"
#include <vector>

namespace mpishm {

class Harmless {
public:
  /// Of statements in the function that \p U is of. \p S is an assignment of which the place that it writes to is seen
  /// to elsewhere.
  Harmless(const Uses &U, const clang::Stmt *S) : Used(U), Store(S) {}

  /// Whether \p S is.
  bool is(const clang::Stmt *S);
  /// The functions that are called, so far.
  const std::vector<const clang::FunctionDecl *> &calls() const { return Calls; }

private:
  bool isExpression(const clang::Expr *E);
  bool isCall(const clang::CallExpr *E);
  bool isVariable(const clang::Decl *D) const;
  bool mayWrite(const clang::Expr *To) const;
  bool areChildren(const clang::Stmt *S);

  const Uses &Used;
  const clang::Stmt *Store;
  std::vector<const clang::FunctionDecl *> Calls;
};

} // namespace mpishm

#endif
