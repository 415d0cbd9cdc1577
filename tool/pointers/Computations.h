// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells memory that the program computes on from memory that it only fills and empties.
//
// Elements are computed on where two or more of them meet in arithmetic (`u[i - 1] + u[i + 1]`, `a[i] * x[j]`), or
// where one is changed in place (`u[i] += ...`, `count[i]++`). To move an element, to scale it by something that is no
// element, or to add it to something (`sum += buffer[i]`, `u[i] += buffer[k]`, `u[i] = u[i] + buffer[k]`) is how
// buffers are emptied, and does not count for them.

#ifndef MPISHM_TOOL_POINTERS_COMPUTATIONS_H
#define MPISHM_TOOL_POINTERS_COMPUTATIONS_H

#include "pointers/Pointers.h"
#include "llvm/ADT/SmallVector.h"

namespace mpishm {

/// Not thread-safe; one for each unit.
class Computations {
public:
  Computations(const Places &P, PointerReader &R, PointerFacts &F) : Where(P), Reader(R), Facts(F) {}

  /// Operators, each before those that stand in it.
  void binary(const clang::BinaryOperator *E);
  void step(const clang::UnaryOperator *E);

private:
  using Elements = llvm::SmallVector<const clang::Expr *, 4>;
  static void gather(const clang::Expr *E, Elements &Into);
  void mark(const Elements &Found);
  void mark(const clang::Expr *Element);
  bool isSameStorage(const clang::Expr *A, const clang::Expr *B);

  const Places &Where;
  PointerReader &Reader;
  PointerFacts &Facts;
  llvm::DenseSet<const clang::Expr *> Additions; ///< of a value to where it is stored
};

} // namespace mpishm

#endif
