// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables of a function keep their values from some statement on, and what these are, as far as the order of
// the statements says: `width = last - first + 1;` before all loops, and nothing of that is changed behind it.

#ifndef MPISHM_TOOL_PACKING_ORDER_H
#define MPISHM_TOOL_PACKING_ORDER_H

#include "packing/Uses.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace mpishm {

class Order {
public:
  explicit Order(const clang::FunctionDecl *Definition);

  /// Whether \p D, a number or pointer of the function, is the same whenever the statement \p At is run, and whatever
  /// is run after that, in one call of the function: all that changes it stands before, and not in a loop.
  bool isSettled(const clang::VarDecl *D, const clang::Stmt *At) const;

  struct Value {
    const clang::Expr *Is;
    const clang::Stmt *Where; ///< where that was found out
  };
  /// What \p D, which is settled, is at \p At: of what it was made last.
  std::optional<Value> valueOf(const clang::VarDecl *D, const clang::Stmt *At) const;

  /// What \p S stands in; null: the body, or it is not known.
  const clang::Stmt *parentOf(const clang::Stmt *S) const { return Parents.lookup(S); }
  /// All statements and expressions, as they stand in the text.
  const std::vector<const clang::Stmt *> &all() const { return All; }

private:
  struct Jump {
    const clang::LabelDecl *To;
    unsigned At;
  };
  struct Change {
    unsigned At;
    const clang::Stmt *By; ///< an assignment, a step, or the declaration
  };
  void add(const clang::Stmt *S, const clang::Stmt *Parent);
  void addChange(const clang::Expr *To, const clang::Stmt *By);
  bool isWithin(const clang::Stmt *S, llvm::function_ref<bool(const clang::Stmt *)> Is) const;
  bool mayRepeat(const Change &C) const;
  bool mayBePassed(const Change &C, const clang::Stmt *At) const;

  const Uses Used;
  std::vector<const clang::Stmt *> All;
  llvm::DenseMap<const clang::Stmt *, unsigned> Index;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Parents;
  llvm::DenseMap<const clang::ValueDecl *, std::vector<Change>> Changes;
  llvm::DenseMap<const clang::ValueDecl *, const clang::Stmt *> Declared;
  std::vector<Jump> Jumps;
  llvm::DenseMap<const clang::LabelDecl *, unsigned> Labels;
  bool IsKnown = true; ///< nothing may be run in another order than these tell
};

} // namespace mpishm

#endif
