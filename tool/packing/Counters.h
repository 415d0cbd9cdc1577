// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the heads of loops that count by one: from where, and how often they run.

#ifndef MPISHM_TOOL_PACKING_COUNTERS_H
#define MPISHM_TOOL_PACKING_COUNTERS_H

#include "packing/Terms.h"
#include "clang/AST/Stmt.h"

namespace mpishm {

/// How often a loop runs: as a number, and what of the text says it, where the loops begin.
struct Turns {
  Polynomial Number; ///< no turn is made where it is negative
  std::string Text;
  bool MayBeNegative = true;
};

/// `v` in `for (int v = First; v < End; v++)`.
struct Counter {
  const clang::VarDecl *Variable = nullptr;
  Polynomial First;
  Turns Turn;
};

class CounterReader {
public:
  /// Of the loop \p S and those in it, which use variables as \p U says; all of the function, as \p F says, or null.
  CounterReader(const clang::ForStmt *S, const Uses &U, const Uses *F, Terms &In, const clang::ASTContext &C)
      : Whole(S), Used(U), Owner(F), Values(In), Context(C) {}

  /// The loops need not be written before themselves, but they may be left by the way.
  void bePartial() { IsPartial = true; }
  /// Fills in \p Loop of \p S. False: Why says why.
  bool read(const clang::ForStmt *S, Counter &Loop);
  std::string Why;

private:
  bool refuse(std::string Because) {
    Why = std::move(Because);
    return false;
  }
  const clang::Expr *initialOf(const clang::Stmt *S, const clang::VarDecl *D, unsigned &Changes) const;
  bool steps(const clang::Expr *E, const clang::VarDecl *D) const;
  bool readText(const clang::Expr *First, const clang::Expr *End, bool IsLast, Turns &Turn) const;

  const clang::ForStmt *Whole;
  const Uses &Used;
  const Uses *Owner;
  Terms &Values;
  const clang::ASTContext &Context;
  bool IsPartial = false;
};

} // namespace mpishm

#endif
