// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Uses.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtObjC.h"
#include "llvm/ADT/DenseSet.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Names of variables, and which of them are only read.
class UseVisitor : public RecursiveASTVisitor<UseVisitor> {
public:
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    All.push_back(E);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) {
    if (E->getCastKind() == CK_LValueToRValue)
      if (const auto *Name = dyn_cast<DeclRefExpr>(E->getSubExpr()->IgnoreParens()))
        Reads.insert(Name);
    return true;
  }
  std::vector<const DeclRefExpr *> All;
  llvm::DenseSet<const DeclRefExpr *> Reads;
};

class CountVisitor : public RecursiveASTVisitor<CountVisitor> {
public:
  explicit CountVisitor(const ValueDecl *Wanted) : D(Wanted) {}
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    Count += E->getDecl() == D;
    return true;
  }
  const ValueDecl *D;
  unsigned Count = 0;
};

} // namespace

Uses::Uses(const FunctionDecl *Definition) {
  UseVisitor Visitor;
  Visitor.TraverseStmt(Definition->getBody());
  for (const DeclRefExpr *E : Visitor.All)
    if (!Visitor.Reads.contains(E))
      ++Changes[E->getDecl()];
}

unsigned Uses::countIn(const Stmt *S, const ValueDecl *D) {
  CountVisitor Visitor(D);
  Visitor.TraverseStmt(const_cast<Stmt *>(S));
  return Visitor.Count;
}

bool Uses::isOwn(const ValueDecl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && V->hasLocalStorage() && !V->getType()->isReferenceType() && !V->getType().isVolatileQualified() &&
         !V->getType()->isAtomicType();
}

/// The kinds that are known to go on with what follows them. (Calls, and what an expression may throw, are seen in the
/// compiled program.)
bool Uses::mayLeave(const Stmt *S, bool Breaks) {
  if (!S)
    return false;
  if (isa<BreakStmt, ContinueStmt>(S))
    return Breaks;
  bool IsKnown = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt, CompoundStmt, DeclStmt, IfStmt, NullStmt,
                     CaseStmt, DefaultStmt, Expr>(S);
  if (!IsKnown ||
      isa<StmtExpr, LambdaExpr, BlockExpr, CoroutineSuspendExpr, CXXThrowExpr, AddrLabelExpr, AtomicExpr, ChooseExpr>(
          S))
    return true;
  if (const auto *E = dyn_cast<Expr>(S); E && E->isGLValue() && E->getType().isVolatileQualified())
    return true;
  if (const auto *Declares = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Declares->decls()) {
      const auto *V = dyn_cast<VarDecl>(D);
      if (!V || V->isStaticLocal() || V->getType()->isVariablyModifiedType() ||
          V->getType().isDestructedType() != QualType::DK_none)
        return true;
    }
  for (const Stmt *Child : S->children())
    if (mayLeave(Child, Breaks))
      return true;
  return false;
}
