// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a function writes each of so many elements, the first of which a pointer points to, and reads none of them by
// it, whichever way it goes: loops from a first number to a last one by one, in each turn of which one element is
// written, in order.

#ifndef MPISHM_TOOL_PACKING_COVERS_H
#define MPISHM_TOOL_PACKING_COVERS_H

#include "packing/Counters.h"

namespace mpishm {

/// The loops that write all elements.
struct Cover {
  const clang::VarDecl *Target =
      nullptr; ///< the pointer; of coverOf() only when it is one of their own, that they move
  const clang::ForStmt *Loops = nullptr;
  std::vector<Turns> Turn;                      ///< of one loop, or of the outer and the inner
  const clang::BinaryOperator *Store = nullptr; ///< the assignment that writes
  const clang::Expr *To = nullptr;              ///< the pointer, as it stands there
};

/// The cover of \p Function, a definition, by \p Target, a parameter or variable of its own. None: \p Why says why, or
/// is empty when the function does not use Target as its loops' target at all.
std::optional<Cover> coverBy(const clang::VarDecl *Target, const clang::FunctionDecl *Function, const Uses &Used,
                             Terms &In, const clang::ASTContext &Context, std::string &Why);

/// The cover of \p Loops, a statement of \p Block in a function whose uses of variables are \p Used: by some pointer
/// that they leave as it is, or that is declared for them. They do nothing else but to read, compute, and call
/// functions, which are added to \p Calls.
std::optional<Cover> coverOf(const clang::ForStmt *Loops, const clang::CompoundStmt *Block, const Uses &Used, Terms &In,
                             const clang::ASTContext &Context, std::vector<const clang::FunctionDecl *> &Calls,
                             std::string &Why);

/// \p Element is read in \p Loops, a statement of \p Block: of how many elements, from where its pointer points to, it
/// is one whenever that is done; none is read where the number is negative. \p In has what is known of how often the
/// loops run, \p Indices of numbers in them.
std::optional<Polynomial> elementsRead(const clang::ArraySubscriptExpr *Element, const clang::ForStmt *Loops,
                                       const clang::CompoundStmt *Block, const Uses &Used, Terms &In, Terms &Indices,
                                       const clang::ASTContext &Context);

/// The pointers by which \p Function may do that: its parameters, and the variables of its body that point to numbers.
std::vector<const clang::VarDecl *> targetsOf(const clang::FunctionDecl *Function);

} // namespace mpishm

#endif
