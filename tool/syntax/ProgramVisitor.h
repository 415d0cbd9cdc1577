// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which declarations of a unit are the program's, and a visitor of those.

#ifndef MPISHM_TOOL_SYNTAX_PROGRAMVISITOR_H
#define MPISHM_TOOL_SYNTAX_PROGRAMVISITOR_H

#include "syntax/Places.h"
#include "syntax/Types.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace mpishm {

/// True for what a library declares and keeps to itself. An inline function of its headers counts as the program's when
/// it deals with MPI.
bool isOfLibrary(clang::Decl *D, const Places &Where, Types &Typing);

/// Visits what is executed: instantiations instead of templates, the hidden parts of range-based loops, the bodies of
/// closures, of _Generic what its type chooses; no functions of the standard library. Derived has `void enter(const
/// FunctionDecl *)`, which is called with the function that is visited from now on, null outside of all.
template <typename Derived> class ProgramVisitor : public clang::RecursiveASTVisitor<Derived> {
  using Base = clang::RecursiveASTVisitor<Derived>;

  friend Derived;
  ProgramVisitor(const Places &P, Types &T) : Where(P), Typing(T) {}

public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl *D) {
    if (!D || D->isInvalidDecl())
      return true;
    if (const auto *Context = llvm::dyn_cast<clang::DeclContext>(D);
        Context && llvm::isa<clang::FunctionDecl, clang::CXXRecordDecl>(D) && Context->isDependentContext())
      return true; // a template is not executed, its instantiations are
    if (isOfLibrary(D, Where, Typing))
      return true;
    auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
    if (!F)
      return Base::TraverseDecl(D);
    const clang::FunctionDecl *Around = Inside;
    this->getDerived().enter(Inside = F);
    bool Result = Base::TraverseDecl(D);
    this->getDerived().enter(Inside = Around);
    return Result;
  }

  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr *E) {
    return E->isResultDependent() ? Base::TraverseGenericSelectionExpr(E)
                                  : this->getDerived().TraverseStmt(E->getResultExpr());
  }

  bool TraverseChooseExpr(clang::ChooseExpr *E) {
    return E->isConditionDependent() ? Base::TraverseChooseExpr(E)
                                     : this->getDerived().TraverseStmt(E->getChosenSubExpr());
  }

protected:
  const Places &Where;
  Types &Typing;

private:
  const clang::FunctionDecl *Inside = nullptr;
};

} // namespace mpishm

#endif
