// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A visitor of the syntax tree with virtual functions.

#ifndef MPISHM_TOOL_SYNTAX_SYNTAXVISITOR_H
#define MPISHM_TOOL_SYNTAX_SYNTAXVISITOR_H

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/TypeLoc.h"

namespace clang {
#define DECL(CLASS, BASE) class CLASS##Decl;
#include "clang/AST/DeclNodes.inc"
#define STMT(CLASS, PARENT) class CLASS; // NOLINT(bugprone-macro-parentheses): a declaration
#include "clang/AST/StmtNodes.inc"
} // namespace clang

/// What visitors of the tool have a way of their own through: the end of the function's name, and what it is given.
#define MPISHM_TRAVERSED(EACH)                                                                                         \
  EACH(Decl, clang::Decl *)                                                                                            \
  EACH(ConceptDecl, clang::ConceptDecl *)                                                                              \
  EACH(StaticAssertDecl, clang::StaticAssertDecl *)                                                                    \
  EACH(VarDecl, clang::VarDecl *)                                                                                      \
  EACH(ConstructorInitializer, clang::CXXCtorInitializer *)                                                            \
  EACH(TypeLoc, clang::TypeLoc)                                                                                        \
  EACH(ChooseExpr, clang::ChooseExpr *)                                                                                \
  EACH(CompoundStmt, clang::CompoundStmt *)                                                                            \
  EACH(ConstantExpr, clang::ConstantExpr *)                                                                            \
  EACH(GenericSelectionExpr, clang::GenericSelectionExpr *)                                                            \
  EACH(RequiresExpr, clang::RequiresExpr *)

namespace mpishm {

/// Clang's RecursiveASTVisitor, whose names these are and whose documentation holds, with virtual functions: it is
/// compiled once, and not for each visitor again, which takes ten seconds each.
///
/// Virtual is what visitors of the tool override; a Traverse function of this class goes on into the node. TraverseStmt
/// cannot be: only where it is not does Clang's visitor go through long expressions without a call for each of their
/// parts.
class SyntaxVisitor {
public:
  virtual ~SyntaxVisitor();

  virtual bool shouldVisitTemplateInstantiations() const { return false; }
  virtual bool shouldVisitImplicitCode() const { return false; }

  bool TraverseStmt(clang::Stmt *S);

#define TRAVERSE(NAME, NODE) virtual bool Traverse##NAME(NODE Node);
  MPISHM_TRAVERSED(TRAVERSE)
#undef TRAVERSE

  virtual bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc) { return true; }

  // Of each class of declarations and statements.
  virtual bool VisitDecl(clang::Decl *) { return true; }
#define DECL(CLASS, BASE)                                                                                              \
  virtual bool Visit##CLASS##Decl(clang::CLASS##Decl *) { return true; }
#include "clang/AST/DeclNodes.inc"
  virtual bool VisitStmt(clang::Stmt *) { return true; }
#define STMT(CLASS, PARENT)                                                                                            \
  virtual bool Visit##CLASS(clang::CLASS *) { return true; }
#include "clang/AST/StmtNodes.inc"
};

} // namespace mpishm

#endif
