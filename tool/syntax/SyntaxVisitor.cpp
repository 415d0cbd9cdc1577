// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/SyntaxVisitor.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Hands on to a SyntaxVisitor what Clang's comes to, and walks the tree for it.
class Walk : public RecursiveASTVisitor<Walk> {
public:
  explicit Walk(SyntaxVisitor &V) : Visitor(V) {}

  bool shouldVisitTemplateInstantiations() const { return Visitor.shouldVisitTemplateInstantiations(); }
  bool shouldVisitImplicitCode() const { return Visitor.shouldVisitImplicitCode(); }

#define TRAVERSE(NAME, NODE)                                                                                           \
  bool Traverse##NAME(NODE Node) { return Visitor.Traverse##NAME(Node); }
  MPISHM_TRAVERSED(TRAVERSE)
#undef TRAVERSE

  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc Loc) {
    return Visitor.VisitTemplateSpecializationTypeLoc(Loc);
  }
  bool VisitDecl(Decl *D) { return Visitor.VisitDecl(D); }
#define DECL(CLASS, BASE)                                                                                              \
  bool Visit##CLASS##Decl(CLASS##Decl *D) { return Visitor.Visit##CLASS##Decl(D); }
#include "clang/AST/DeclNodes.inc"
  bool VisitStmt(Stmt *S) { return Visitor.VisitStmt(S); }
#define STMT(CLASS, PARENT)                                                                                            \
  bool Visit##CLASS(CLASS *S) { return Visitor.Visit##CLASS(S); } // NOLINT(bugprone-macro-parentheses): a declaration
#include "clang/AST/StmtNodes.inc"

private:
  SyntaxVisitor &Visitor;
};

} // namespace

SyntaxVisitor::~SyntaxVisitor() = default;

bool SyntaxVisitor::TraverseStmt(Stmt *S) { return Walk(*this).TraverseStmt(S); }

#define TRAVERSE(NAME, NODE)                                                                                           \
  bool SyntaxVisitor::Traverse##NAME(NODE Node) { return Walk(*this).RecursiveASTVisitor::Traverse##NAME(Node); }
MPISHM_TRAVERSED(TRAVERSE)
#undef TRAVERSE
