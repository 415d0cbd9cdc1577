// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/Wrappers.h"
#include "syntax/Callees.h"
#include "syntax/Expressions.h"
#include "syntax/Ids.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/MapVector.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Reads one body: what is returned, what its local pointers are set to, and whether they are used for anything else.
class BodySearch : public SyntaxVisitor {
public:
  BodySearch(const Places &P, PointerNodes &N, AllocationWrapper &R) : Where(P), Nodes(N), Result(R) {}

  /// Fills in the wrapper; false when the function is none.
  bool run(const FunctionDecl *F) {
    TraverseStmt(F->getBody());
    if (Returned.empty())
      return false;
    for (const Expr *E : Returned)
      if (!isFresh(E))
        return false;
    for (const DeclRefExpr *Use : Uses) {
      if (Seen.contains(Use->getDecl()) && !Allowed.contains(Use))
        return false;
      Result.IsTold |= Seen.contains(Use->getDecl()) && Telling.contains(Use);
    }
    return !Result.Makes.empty() || !Result.Calls.empty();
  }

  bool VisitReturnStmt(ReturnStmt *S) override {
    Returned.push_back(S->getRetValue());
    allow(S->getRetValue());
    return true;
  }
  bool VisitVarDecl(VarDecl *D) override {
    if (D->getInit())
      Sources[D].push_back(D->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) override {
    if (E->getOpcode() == BO_Assign) {
      if (const ValueDecl *D = allow(E->getLHS()))
        Sources[D].push_back(E->getRHS());
    } else if (E->isComparisonOp() || E->isLogicalOp()) {
      allow(E->getLHS());
      allow(E->getRHS());
    }
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) override {
    if (E->getOpcode() == UO_LNot || (E->getOpcode() == UO_Deref && E->getType()->isArithmeticType()))
      allow(E->getSubExpr());
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) override {
    if (E->getType()->isArithmeticType())
      allow(E->getBase());
    return true;
  }
  bool VisitCastExpr(CastExpr *E) override {
    if (E->getCastKind() == CK_PointerToBoolean)
      allow(E->getSubExpr());
    return true;
  }
  bool VisitIfStmt(IfStmt *S) override {
    allow(S->getCond());
    return true;
  }
  bool VisitAbstractConditionalOperator(AbstractConditionalOperator *E) override {
    allow(E->getCond());
    return true;
  }
  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    const MemoryRow *Row = memoryRowOf(F, Where);
    if (Row && Row->Makes == MemoryRow::Result::FirstArgument && E->getNumArgs()) {
      const auto *Address = dyn_cast<UnaryOperator>(E->getArg(0)->IgnoreParenCasts());
      if (Address && Address->getOpcode() == UO_AddrOf)
        if (const ValueDecl *D = allow(Address->getSubExpr()))
          Sources[D].push_back(E);
    }
    bool Forgets = (Row && Row->Makes == MemoryRow::Result::None) || (!Row && keepingOf(F, Where) == Keeping::Nothing);
    if (Forgets)
      for (auto [Index, Argument] : llvm::enumerate(E->arguments()))
        if (const auto *Name = allow(Argument) ? dyn_cast<DeclRefExpr>(Argument->IgnoreParenCasts()) : nullptr)
          if (Index >= F->getNumParams() || !mpiNameOf(F).empty())
            Telling.insert(Name);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    Uses.push_back(E);
    return true;
  }

private:
  /// Says that \p E, when it is a variable's name, is used in a way that does not hand the pointer on.
  const ValueDecl *allow(const Expr *E) {
    const auto *Reference = E ? dyn_cast<DeclRefExpr>(E->IgnoreParenCasts()) : nullptr;
    if (!Reference)
      return nullptr;
    Allowed.insert(Reference);
    return Reference->getDecl();
  }

  bool isFresh(const Expr *E) {
    if (!E)
      return false;
    E = E->IgnoreParenCasts();
    if (E->isTypeDependent() || isa<CXXNullPtrLiteralExpr, GNUNullExpr, IntegerLiteral>(E))
      return true;
    if (const auto *X = dyn_cast<AbstractConditionalOperator>(E))
      return isFresh(X->getTrueExpr()) && isFresh(X->getFalseExpr());
    if (const auto *New = dyn_cast<CXXNewExpr>(E); New && New->isArray() && !New->getNumPlacementArgs()) {
      Result.Makes.push_back(Nodes.memory(New->getBeginLoc(), "new[]"));
      return true;
    }
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return isFreshCall(Call);
    const auto *Reference = dyn_cast<DeclRefExpr>(E);
    const auto *D = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    if (!D || !D->hasLocalStorage() || isa<ParmVarDecl>(D) || !isDataPointer(D->getType()) || !hasPlainAttributes(D))
      return false;
    Allowed.insert(Reference);
    if (!Seen.insert(D).second)
      return true;
    return llvm::all_of(Sources[D], [&](const Expr *Source) { return isFresh(Source); });
  }

  bool isFreshCall(const CallExpr *E) {
    const FunctionDecl *F = E->getDirectCallee();
    const DeclRefExpr *Name = calledName(E);
    if (!F || !Name)
      return false;
    if (const MemoryRow *Row = memoryRowOf(F, Where)) {
      if (Row->Makes == MemoryRow::Result::None)
        return false;
      Result.Makes.push_back(Nodes.memory(Name->getLocation(), Row->Name));
      return true;
    }
    if (isa<CXXMethodDecl>(F) || Where.isLibrary(F->getLocation()) || !isDataPointer(F->getReturnType()))
      return false;
    Result.Calls.push_back(Nodes.memory(Name->getLocation(), F->getNameAsString()));
    return true;
  }

  const Places &Where;
  PointerNodes &Nodes;
  AllocationWrapper &Result;
  llvm::SmallVector<const Expr *, 4> Returned;
  llvm::SmallVector<const DeclRefExpr *, 16> Uses;
  llvm::DenseSet<const Expr *> Allowed;
  llvm::DenseSet<const Expr *> Telling; ///< of these, those by which the address gets known, or a message under way
  llvm::MapVector<const ValueDecl *, llvm::SmallVector<const Expr *, 2>> Sources;
  llvm::DenseSet<const ValueDecl *> Seen;
};

} // namespace

/// The counterpart of what \p F calls, when its body is `return malloc(n);` with its parameters in their order.
static std::string forwarded(const FunctionDecl *F, const Places &Where) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F->getBody());
  const auto *Return = Body && Body->size() == 1 ? dyn_cast<ReturnStmt>(Body->body_front()) : nullptr;
  const Expr *Value = Return ? Return->getRetValue() : nullptr;
  const auto *Call = Value ? dyn_cast<CallExpr>(Value->IgnoreParenImpCasts()) : nullptr;
  const MemoryRow *Row = Call ? memoryRowOf(Call->getDirectCallee(), Where) : nullptr;
  if (!Row || Row->Makes != MemoryRow::Result::Value || Row->GivesBack || Call->getNumArgs() != F->getNumParams() ||
      !F->getReturnType()->isVoidPointerType() || F->isTemplateInstantiation())
    return "";
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    const auto *Reference = dyn_cast<DeclRefExpr>(Call->getArg(I)->IgnoreParenImpCasts());
    if (!Reference || Reference->getDecl() != F->getParamDecl(I) ||
        Reference->getType().getCanonicalType() !=
            Call->getDirectCallee()->getParamDecl(I)->getType().getCanonicalType()) // it may cut its argument
      return "";
  }
  return Row->New.str();
}

AllocationWrapper mpishm::wrapperOf(const FunctionDecl *F, const Places &Where, PointerNodes &Nodes) {
  AllocationWrapper Result;
  Result.Function = idOf(F, Where);
  Result.Name = F->getQualifiedNameAsString();
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  bool Maybe =
      F->hasBody() && isDataPointer(F->getReturnType()) && !(Method && Method->isVirtual()) && !F->isVariadic();
  if (Maybe && BodySearch(Where, Nodes, Result).run(F)) {
    Result.Forwards = forwarded(F, Where);
  } else {
    Result.Makes.clear();
    Result.Calls.clear();
  }
  return Result;
}
