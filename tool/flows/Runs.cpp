// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "flows/Runs.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

using Path = llvm::SmallVector<const Stmt *, 16>;

/// The statements from \p From down to \p To.
static bool findPath(const Stmt *From, const Stmt *To, Path &Result) {
  Result.push_back(From);
  if (From == To)
    return true;
  for (const Stmt *Child : From->children())
    if (Child && findPath(Child, To, Result))
      return true;
  Result.pop_back();
  return false;
}

/// True when \p S may leave the statements around it, or be entered past those before it.
static bool breaksRun(const Stmt *S, bool InLoop = false, bool InSwitch = false) {
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, CXXThrowExpr, GCCAsmStmt>(S) ||
      isa<CoreturnStmt, CoroutineSuspendExpr>(S) || // who is not resumed executes nothing behind it
      (isa<BreakStmt>(S) && !InLoop && !InSwitch) || (isa<ContinueStmt>(S) && !InLoop) ||
      (isa<SwitchCase>(S) && !InSwitch))
    return true;
  InLoop |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
  InSwitch |= isa<SwitchStmt>(S);
  return llvm::any_of(S->children(), [&](const Stmt *Child) { return Child && breaksRun(Child, InLoop, InSwitch); });
}

/// True when \p Parent always executes \p Child, and does so once.
static bool alwaysExecutes(const Stmt *Parent, const Stmt *Child, const ASTContext &Context) {
  if (const auto *E = dyn_cast<AbstractConditionalOperator>(Parent))
    return Child == E->getCond();
  if (const auto *E = dyn_cast<BinaryOperator>(Parent); E && E->isLogicalOp())
    return Child == E->getLHS();
  if (const auto *S = dyn_cast<IfStmt>(Parent))
    return Child != S->getThen() && Child != S->getElse();
  if (const auto *S = dyn_cast<ForStmt>(Parent))
    return Child == S->getInit();
  if (const auto *S = dyn_cast<SwitchStmt>(Parent))
    return Child != S->getBody();
  if (const auto *S = dyn_cast<DoStmt>(Parent)) { // do { ... } while (0), as macros have it
    bool Again = true;
    return !S->getCond()->isValueDependent() && S->getCond()->EvaluateAsBooleanCondition(Again, Context) && !Again &&
           !breaksRun(S->getBody());
  }
  return isa<Expr, DeclStmt, ReturnStmt, CompoundStmt, AttributedStmt>(Parent) && !isa<LambdaExpr>(Parent);
}

std::string mpishm::runOf(const Expr *E, const FunctionDecl *F, const ASTContext &Context) {
  Path Way;
  if (!F || !F->getBody() || !findPath(F->getBody(), E, Way))
    return "";
  // Up to the outermost block that always executes the call.
  size_t Block = Way.size();
  for (size_t I = Way.size() - 1; I > 0 && alwaysExecutes(Way[I - 1], Way[I], Context); --I)
    if (isa<CompoundStmt>(Way[I - 1]))
      Block = I - 1;
  if (Block == Way.size())
    return "";
  unsigned Breaks = 0;
  for (const Stmt *Child : Way[Block]->children()) {
    if (Child == Way[Block + 1])
      break;
    Breaks += Child && breaksRun(Child);
  }
  SourceLocation Start = Context.getSourceManager().getFileLoc(Way[Block]->getBeginLoc());
  return Start.printToString(Context.getSourceManager()) + " " + std::to_string(Breaks);
}
