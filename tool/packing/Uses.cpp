// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Uses.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/StmtObjC.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Names of variables, and which of them are only read, or only written. What stands for the variable after that, as
/// `++v` may in C++, is neither, unless it is read or nothing more is done with it.
class UseVisitor : public SyntaxVisitor {
public:
  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    All.push_back(E);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) override {
    if (E->getCastKind() != CK_LValueToRValue)
      return true;
    if (const auto *Name = dyn_cast<DeclRefExpr>(E->getSubExpr()->IgnoreParens()))
      Reads.insert(Name);
    end(E->getSubExpr());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) override {
    if (E->isIncrementDecrementOp())
      write(E, E->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) override {
    if (E->isAssignmentOp())
      write(E, E->getLHS());
    if (E->getOpcode() == BO_Comma)
      end(E->getLHS());
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *S) override {
    for (Stmt *Each : S->body())
      end(Each);
    return true;
  }
  bool VisitForStmt(ForStmt *S) override {
    for (Stmt *Each : {S->getInit(), static_cast<Stmt *>(S->getInc()), S->getBody()})
      end(Each);
    return true;
  }
  bool VisitIfStmt(IfStmt *S) override {
    end(S->getThen());
    end(S->getElse());
    return true;
  }
  bool isWrite(const DeclRefExpr *E) const {
    auto It = Writes.find(E);
    return It != Writes.end() && (!It->second->isGLValue() || Ended.contains(It->second));
  }

  std::vector<const DeclRefExpr *> All;
  llvm::DenseSet<const DeclRefExpr *> Reads;

private:
  void write(const Expr *Whole, const Expr *E) {
    if (const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParens());
        Name && !Name->refersToEnclosingVariableOrCapture())
      Writes[Name] = Whole;
  }
  /// Nothing is done any more with the place that \p S stands for.
  void end(const Stmt *S) {
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (!E)
      return;
    E = E->IgnoreParens();
    Ended.insert(E);
    if (const auto *Both = dyn_cast<BinaryOperator>(E); Both && Both->getOpcode() == BO_Comma)
      end(Both->getRHS());
  }

  llvm::DenseMap<const DeclRefExpr *, const Expr *> Writes; ///< and the expressions that write
  llvm::DenseSet<const Expr *> Ended;
};

class CountVisitor : public SyntaxVisitor {
public:
  explicit CountVisitor(const ValueDecl *Wanted) : D(Wanted) {}
  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    Count += E->getDecl() == D;
    return true;
  }
  const ValueDecl *D;
  unsigned Count = 0;
};

} // namespace

Uses::Uses(const FunctionDecl *Definition) : Uses(llvm::ArrayRef<const Stmt *>(Definition->getBody())) {}

Uses::Uses(llvm::ArrayRef<const Stmt *> Statements) {
  UseVisitor Visitor;
  for (const Stmt *S : Statements)
    Visitor.TraverseStmt(const_cast<Stmt *>(S));
  for (const DeclRefExpr *E : Visitor.All) {
    if (Visitor.Reads.contains(E) || isa<EnumConstantDecl>(E->getDecl()))
      continue;
    ++Changes[E->getDecl()];
    if (!Visitor.isWrite(E))
      HandedOn.insert(E->getDecl());
  }
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
