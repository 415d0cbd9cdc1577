// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communicator that a call is of, as the source has it, and what may make another of it.

#ifndef MPISHM_TOOL_SITES_NAMEDCOMMUNICATOR_H
#define MPISHM_TOOL_SITES_NAMEDCOMMUNICATOR_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <string>

namespace mpishm {

/// An expression for a communicator in the body of \p F. Null: of none, which nothing changes.
class NamedCommunicator {
public:
  NamedCommunicator(const clang::Expr *E, const clang::FunctionDecl *F, clang::ASTContext &Around);

  /// Whether \p S itself, and not what is in it, may make another communicator of it: whatever may write to where it
  /// is, but for another variable, another member of a record, or something of another type.
  bool mayBeChangedBy(const clang::Stmt *S) const;

  /// The same for no other communicator: its text, and where the variables in it are declared.
  std::string name() const { return Text + Declared; }

private:
  void addNames(const clang::Stmt *S);
  void addVariable(const clang::DeclRefExpr *E);
  bool areOwn(const clang::Stmt *In, const clang::Stmt *Around) const;
  bool isIt(const clang::Expr *E) const;
  bool mayBeOfType(clang::QualType T) const;
  bool mayBeIn(const clang::Expr *Place) const;
  bool mayBeWrittenThrough(const clang::Expr *Argument) const;
  bool mayBeWrittenBy(const clang::CallExpr *E) const;

  clang::ASTContext &Context;
  std::string Text, Declared;
  clang::QualType Type;
  bool IsConstant = true;   ///< no variable is in it
  bool IsOwn = false;       ///< all variables are the function's, and nothing else gets to know where they are
  bool IsPointedTo = false; ///< what is meant depends on an address
  const clang::ValueDecl *Member = nullptr;             ///< it is one
  llvm::SmallPtrSet<const clang::ValueDecl *, 4> Names; ///< variables and members
};

} // namespace mpishm

#endif
