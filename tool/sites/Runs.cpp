// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sites/Runs.h"
#include "libraries/Names.h"
#include "sources/Scan.h"
#include "syntax/Callees.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace mpishm;

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

static std::string textOf(const Expr *E, const ASTContext &Context) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  E->IgnoreParenImpCasts()->printPretty(Out, nullptr, PrintingPolicy(Context.getLangOpts()));
  return Text;
}

/// Whether \p F is known to call nothing of the program's, but what it is handed: as one that Clang or our tables know.
static bool callsNothing(const FunctionDecl *F, const ASTContext &Context) {
  const llvm::StringRef Name = F->getName();
  if (F->getBuiltinID() || Name == "posix_memalign" || Name.starts_with("MPISHM_"))
    return true;
  // Not isInSystemHeader: a library of the program's may be included with -isystem.
  const SourceManager &SM = Context.getSourceManager();
  const ir::LibraryRow *Row = ir::findLibraryRow(Name);
  return Row && isSystemFile(SM.getFilename(SM.getExpansionLoc(F->getLocation()))) &&
         Row->Effects.drop_front().find_first_of("fgh") == llvm::StringRef::npos;
}

/// Whether \p F comes back to where it is called, once, without having called anything of the program's. Where the
/// program ends, nothing is executed twice, unless it has asked for that (classes/CommunicatorGroups.cpp).
static bool comesBack(const FunctionDecl *F, const ASTContext &Context) {
  if (!F)
    return false;
  if (!mpiNameOf(F).empty())
    return true;
  const bool OfC = !Context.getLangOpts().CPlusPlus || F->isExternC();
  if (!F->getIdentifier() || !OfC)
    return false;
  if (llvm::is_contained({"exit", "quick_exit", "abort", "_exit", "_Exit", "__assert_fail"}, F->getName()))
    return true;
  const bool Jumps = llvm::is_contained({"raise", "kill", "pthread_kill", "setcontext", "swapcontext"}, F->getName());
  return !Jumps && !F->isNoReturn() && !F->hasAttr<ReturnsTwiceAttr>() && callsNothing(F, Context) &&
         llvm::none_of(F->parameters(), [](const ParmVarDecl *P) { return P->getType()->isFunctionPointerType(); });
}

namespace {

/// What stands before a call in its run.
class Before {
public:
  Before(const Expr *Communicator, const ASTContext &Around) : Context(Around) {
    if (!Communicator)
      return;
    Parent = textOf(Communicator, Context);
    addNames(Communicator);
  }
  bool breaksRun(const Stmt *S, bool InLoop = false, bool InSwitch = false) const;
  const std::string &parent() const { return Parent; }

private:
  void addNames(const Stmt *S);
  bool isParent(const Expr *E) const;
  bool mayLeave(const Stmt *S) const;
  bool changesParent(const Stmt *S) const;

  const ASTContext &Context;
  std::string Parent;
  llvm::SmallPtrSet<const ValueDecl *, 4> Names; ///< in it
};

} // namespace

void Before::addNames(const Stmt *S) {
  if (const auto *E = dyn_cast<UnaryOperator>(S); E && E->getOpcode() == UO_AddrOf)
    return; // the same whatever becomes of what is there: MPI_COMM_WORLD with Open MPI
  if (const auto *E = dyn_cast<DeclRefExpr>(S))
    Names.insert(E->getDecl());
  for (const Stmt *Child : S->children())
    if (Child)
      addNames(Child);
}

bool Before::isParent(const Expr *E) const {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return (Name && Names.contains(Name->getDecl())) || textOf(E, Context) == Parent;
}

/// Whether \p S may make another communicator of the expression by which the call names its.
bool Before::changesParent(const Stmt *S) const {
  if (const auto *E = dyn_cast<BinaryOperator>(S))
    return E->isAssignmentOp() && isParent(E->getLHS());
  if (const auto *E = dyn_cast<UnaryOperator>(S))
    return (E->isIncrementDecrementOp() || E->getOpcode() == UO_AddrOf) && isParent(E->getSubExpr());
  return false;
}

/// Whether what \p S calls may not come back to it, or come to it again before it does.
bool Before::mayLeave(const Stmt *S) const {
  if (const auto *E = dyn_cast<CallExpr>(S))
    return !comesBack(E->getDirectCallee(), Context);
  if (const auto *E = dyn_cast<CXXConstructExpr>(S))
    return !E->getConstructor()->isTrivial();
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return llvm::any_of(D->decls(), [&](const Decl *Each) {
      const auto *V = dyn_cast<VarDecl>(Each);
      return V && !V->isStaticLocal() && V->needsDestruction(Context) != QualType::DK_none;
    });
  return isa<CXXNewExpr, CXXDeleteExpr, CXXDynamicCastExpr, CXXThrowExpr, CXXInheritedCtorInitExpr>(S);
}

/// True when \p S may leave the statements around it, or be entered past those before it.
bool Before::breaksRun(const Stmt *S, bool InLoop, bool InSwitch) const {
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, GCCAsmStmt>(S) || mayLeave(S) || changesParent(S) ||
      isa<CoreturnStmt, CoroutineSuspendExpr>(S) || // who is not resumed executes nothing behind it
      (isa<BreakStmt>(S) && !InLoop && !InSwitch) || (isa<ContinueStmt>(S) && !InLoop) ||
      (isa<SwitchCase>(S) && !InSwitch))
    return true;
  InLoop |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
  InSwitch |= isa<SwitchStmt>(S);
  return llvm::any_of(S->children(), [&](const Stmt *Child) { return Child && breaksRun(Child, InLoop, InSwitch); });
}

/// True when \p Parent always executes \p Child, and does so once.
static bool alwaysExecutes(const Stmt *Parent, const Stmt *Child, const Before &Others, const ASTContext &Context) {
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
           !Others.breaksRun(S->getBody());
  }
  return isa<Expr, DeclStmt, ReturnStmt, CompoundStmt, AttributedStmt>(Parent) && !isa<LambdaExpr>(Parent);
}

std::string mpishm::runOf(const Expr *E, const Expr *Communicator, const FunctionDecl *F, const ASTContext &Context) {
  Path Way;
  const Before Others(Communicator, Context);
  if (!F || !F->getBody() || !findPath(F->getBody(), E, Way))
    return "";
  // Up to the outermost block that always executes the call.
  size_t Block = Way.size();
  for (size_t I = Way.size() - 1; I > 0 && alwaysExecutes(Way[I - 1], Way[I], Others, Context); --I)
    if (isa<CompoundStmt>(Way[I - 1]))
      Block = I - 1;
  if (Block == Way.size())
    return "";
  unsigned Breaks = 0;
  for (const Stmt *Child : Way[Block]->children()) {
    if (Child == Way[Block + 1])
      break;
    Breaks += Child && Others.breaksRun(Child);
  }
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Start = SM.getFileLoc(Way[Block]->getBeginLoc());
  std::string Alone = Others.breaksRun(Way[Block + 1]) ? " " + E->getBeginLoc().printToString(SM) : "";
  return Start.printToString(SM) + " " + std::to_string(Breaks) + " " + Others.parent() + Alone;
}
