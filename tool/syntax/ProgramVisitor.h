// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which declarations of a unit are the program's, and a visitor of those.

#ifndef MPISHM_TOOL_SYNTAX_PROGRAMVISITOR_H
#define MPISHM_TOOL_SYNTAX_PROGRAMVISITOR_H

#include "syntax/Places.h"
#include "syntax/SyntaxVisitor.h"
#include "syntax/Types.h"

namespace mpishm {

/// True for what a library declares and keeps to itself. An inline function of its headers counts as the program's when
/// it deals with MPI.
bool isOfLibrary(clang::Decl *D, const Places &Where, Types &Typing);

/// Visits what is executed: instantiations instead of templates, the hidden parts of range-based loops, the bodies of
/// closures, of _Generic what its type chooses; no functions of the standard library.
class ProgramVisitor : public SyntaxVisitor {
public:
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool TraverseDecl(clang::Decl *D) override;
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr *E) override;
  bool TraverseChooseExpr(clang::ChooseExpr *E) override;

protected:
  ProgramVisitor(const Places &P, Types &T) : Where(P), Typing(T) {}

  /// Called with the function that is visited from now on, null outside of all.
  virtual void enter(const clang::FunctionDecl *) {}

  const Places &Where;
  Types &Typing;

private:
  const clang::FunctionDecl *Inside = nullptr;
};

} // namespace mpishm

#endif
