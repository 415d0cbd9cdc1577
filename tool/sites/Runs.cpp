// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sites/Runs.h"
#include "libraries/Names.h"
#include "sites/NamedCommunicator.h"
#include "sources/Scan.h"
#include "syntax/Callees.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

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

/// Which children lead to the element \p Last of \p Way. (Of what one macro makes, all stands at one place.)
static std::string childrenTo(const Path &Way, size_t Last) {
  std::string Result;
  for (size_t I = 1; I <= Last; ++I) {
    const auto Children = Way[I - 1]->children();
    Result += " " + std::to_string(std::distance(Children.begin(), llvm::find(Children, Way[I])));
  }
  return Result;
}

/// A name for \p F that no other function of its unit has, but other instances of one template.
static std::string nameOfFunction(const FunctionDecl *F, const SourceManager &SM) {
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern(); Pattern && Pattern->getBody())
    F = Pattern;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  const bool IsOfLambda = Method && Method->getParent()->isLambda();
  return SM.getFileLoc(F->getBody()->getBeginLoc()).printToString(SM) + " " + F->getQualifiedNameAsString() + " " +
         F->getType().getAsString() +
         (IsOfLambda ? " " + std::to_string(Method->getParent()->getLambdaIndexInContext()) : "");
}

/// Whether \p F is MPI's own, and not one of the program's that is called as if it were.
static bool isOfMpi(const FunctionDecl *F, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const llvm::StringRef File = llvm::sys::path::filename(SM.getFilename(SM.getExpansionLoc(F->getLocation())));
  return !mpiNameOf(F).empty() && !F->isDefined() && (File == "mpi.h" || File == "mpi_proto.h" || File == "mpishm.h");
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
  if (isOfMpi(F, Context))
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
  Before(const Expr *Communicator, const FunctionDecl *F, ASTContext &Around)
      : Context(Around), Of(Communicator, F, Around) {}
  bool breaksRun(const Stmt *S, bool InLoop = false, bool InSwitch = false) const;
  std::string parent() const { return Of.name(); }

private:
  bool mayLeave(const Stmt *S) const;
  bool mayLeave(const Decl *D) const;

  const ASTContext &Context;
  const NamedCommunicator Of;
};

} // namespace

/// Statements that do nothing but what their children do: all of those are in children().
static bool isTransparent(const Stmt *S) {
  return isa<NullStmt, CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, SwitchCase, BreakStmt,
             ContinueStmt, AttributedStmt, CXXForRangeStmt>(S);
}

/// The same of expressions. What has a type with lengths in it that are computed has further ones.
static bool isTransparent(const Expr *E) {
  return !E->getType()->isVariablyModifiedType() &&
         isa<IntegerLiteral, FloatingLiteral, ImaginaryLiteral, CharacterLiteral, StringLiteral, CXXBoolLiteralExpr,
             CXXNullPtrLiteralExpr, GNUNullExpr, PredefinedExpr, SourceLocExpr, DeclRefExpr, MemberExpr, CXXThisExpr,
             ParenExpr, ConstantExpr, UnaryOperator, BinaryOperator, AbstractConditionalOperator, OpaqueValueExpr,
             ArraySubscriptExpr, ImplicitCastExpr, CStyleCastExpr, CXXFunctionalCastExpr, CXXStaticCastExpr,
             CXXReinterpretCastExpr, CXXConstCastExpr, CompoundLiteralExpr, InitListExpr, DesignatedInitExpr,
             ImplicitValueInitExpr, NoInitExpr, CXXScalarValueInitExpr, CXXDefaultInitExpr, StmtExpr, ChooseExpr,
             GenericSelectionExpr, OffsetOfExpr, AtomicExpr, VAArgExpr, UnaryExprOrTypeTraitExpr, TypeTraitExpr,
             SizeOfPackExpr, SubstNonTypeTemplateParmExpr, MaterializeTemporaryExpr, ExprWithCleanups>(E);
}

/// Whether what declares \p D may call something where that begins or ends, beside what is computed for it.
bool Before::mayLeave(const Decl *D) const {
  if (const auto *V = dyn_cast<VarDecl>(D))
    return isa<DecompositionDecl>(V) || V->hasAttr<CleanupAttr>() || V->getType()->isVariablyModifiedType() ||
           (!V->isStaticLocal() && V->needsDestruction(Context) != QualType::DK_none);
  if (const auto *T = dyn_cast<TypedefNameDecl>(D))
    return T->getUnderlyingType()->isVariablyModifiedType();
  return !isa<TagDecl, FunctionDecl, StaticAssertDecl, UsingDecl, UsingDirectiveDecl, EmptyDecl>(D);
}

/// Whether \p S may not come back to where it stands, or come to it again before it does: as it is, whatever is in it.
/// What is not known may.
bool Before::mayLeave(const Stmt *S) const {
  if (const auto *E = dyn_cast<CallExpr>(S))
    return !comesBack(E->getDirectCallee(), Context);
  if (const auto *E = dyn_cast<CXXConstructExpr>(S))
    return !E->getConstructor()->isTrivial();
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return llvm::any_of(D->decls(), [&](const Decl *Each) { return mayLeave(Each); });
  const auto *E = dyn_cast<Expr>(S);
  return E ? !isTransparent(E) : !isTransparent(S);
}

/// True when \p S may leave the statements around it, or be entered past those before it.
bool Before::breaksRun(const Stmt *S, bool InLoop, bool InSwitch) const {
  if (mayLeave(S) || Of.mayBeChangedBy(S) || (isa<BreakStmt>(S) && !InLoop && !InSwitch) ||
      (isa<ContinueStmt>(S) && !InLoop) || (isa<SwitchCase>(S) && !InSwitch))
    return true;
  InLoop |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
  InSwitch |= isa<SwitchStmt>(S);
  if (const auto *E = dyn_cast<CXXDefaultInitExpr>(S); E && breaksRun(E->getExpr()))
    return true;
  if (const auto *E = dyn_cast<InitListExpr>(S); E && E->getArrayFiller() && breaksRun(E->getArrayFiller()))
    return true;
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
  if (const auto *S = dyn_cast<DeclStmt>(Parent)) // a static variable is initialised the first time only
    return llvm::all_of(S->decls(), [](const Decl *D) {
      const auto *V = dyn_cast<VarDecl>(D);
      return !V || V->hasLocalStorage();
    });
  return isa<Expr, ReturnStmt, CompoundStmt, AttributedStmt>(Parent) && !isa<LambdaExpr>(Parent);
}

std::string mpishm::runOf(const Expr *E, const Expr *Communicator, const FunctionDecl *F, ASTContext &Context) {
  Path Way;
  const Before Others(Communicator, F, Context);
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
  const std::string Alone = Others.breaksRun(Way[Block + 1]) ? childrenTo(Way, Way.size() - 1) : "";
  return nameOfFunction(F, Context.getSourceManager()) + childrenTo(Way, Block) + ": " + std::to_string(Breaks) + " " +
         Others.parent() + Alone;
}
