// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are parameters or results: all declarations of a function, and all that it is handed for them or gives
// back, have one type. Only plain functions are known, which nothing but their calls can tell by their type.

#include "pointers/VectorReader.h"
#include "syntax/Ids.h"
#include "syntax/Types.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mpishm;
using namespace clang;

static constexpr const char *NotPlain = "belongs to a function whose type has to stay";

/// Attributes that say nothing of the symbol or the type.
static bool isPlain(const Attr *A) {
  return isa<UnusedAttr, WarnUnusedResultAttr, AlwaysInlineAttr, NoInlineAttr, HotAttr, ColdAttr>(A);
}

/// True for a function that is no template, instance, constructor, operator or virtual function, and is not C's.
static bool isPlain(const FunctionDecl *F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  return F->getDeclName().isIdentifier() && F->getTemplatedKind() == FunctionDecl::TK_NonTemplate &&
         !F->isDependentContext() && !(Method && (Method->isVirtual() || Method->getParent()->isLambda())) &&
         !F->isExternC() && !F->isMain() && !F->isVariadic() && !F->isConstexpr() && !F->isDeleted() &&
         !F->isLocalExternDecl() && !F->getBuiltinID() && !F->getTrailingRequiresClause() &&
         !isa_and_nonnull<CoroutineBodyStmt>(F->getBody()) &&
         llvm::all_of(F->attrs(), [](const Attr *A) { return isPlain(A); });
}

/// The function that \p P is a parameter of, and not of a type in its declaration.
static const FunctionDecl *ownerOf(const ParmVarDecl *P) {
  const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext());
  unsigned Position = P->getFunctionScopeIndex();
  bool Owns = F && Position < F->getNumParams() && F->getParamDecl(Position) == P && P->getFunctionScopeDepth() == 0;
  return Owns ? F : nullptr;
}

const FunctionDecl *VectorReader::functionOf(const ParmVarDecl *P) const {
  const FunctionDecl *F = ownerOf(P);
  if (!F)
    return nullptr;
  unsigned Position = P->getFunctionScopeIndex();
  bool Given =
      llvm::none_of(F->redecls(), [&](const FunctionDecl *R) { return R->getParamDecl(Position)->hasDefaultArg(); });
  return Given && isOurs(F) ? F : nullptr;
}

bool VectorReader::isOurs(const FunctionDecl *F) const {
  return !Types::isStandard(F) && llvm::all_of(F->redecls(), [&](const FunctionDecl *R) {
    return isPlain(R) && R->getTypeSourceInfo() && !Where.isLibrary(R->getLocation());
  });
}

/// The function whose result, a vector whose type may change, \p E is; or null.
const FunctionDecl *VectorReader::resultOf(const CallExpr *E) const {
  const FunctionDecl *F = E->getDirectCallee();
  return F && vectorIn(F->getReturnType()) && isOurs(F) ? F : nullptr;
}

std::string VectorReader::parameterId(const FunctionDecl *F, unsigned Position) const {
  return "parameter:" + mpishm::idOf(F, Where) + "#" + std::to_string(Position);
}

void VectorReader::describe(const ParmVarDecl *P, VectorDeclaration &V) const {
  const auto *F = cast<FunctionDecl>(P->getDeclContext());
  V.Shared = parameterId(F, P->getFunctionScopeIndex());
  V.Name = nameOf(P);
  V.Defined = F->isDefined();
}

void VectorReader::describe(const FunctionDecl *F, VectorDeclaration &V) const {
  V.Shared = V.Id;
  V.Name = "the result of " + F->getQualifiedNameAsString();
  V.Defined = F->isDefined();
}

/// Also for other units, which may see no reason themselves.
void VectorReader::keepParameter(const FunctionDecl *F, unsigned Position, const char *Why, SourceLocation Loc) {
  misuse(parameterId(F, Position), Why, Loc);
}

/// \p P is a vector of numbers. All declarations of its function are described, also those that nobody comes to.
void VectorReader::parameter(const ParmVarDecl *P) {
  const FunctionDecl *F = functionOf(P);
  if (!F) {
    if (const FunctionDecl *Owner = ownerOf(P))
      keepParameter(Owner, P->getFunctionScopeIndex(), NotPlain, P->getLocation());
    return;
  }
  llvm::SaveAndRestore<const FunctionDecl *> Outside(Enclosing, nullptr);
  for (const FunctionDecl *R : F->redecls()) {
    const ParmVarDecl *Same = R->getParamDecl(P->getFunctionScopeIndex());
    if (Parameters.insert(Same).second)
      declare(Same);
  }
}

/// \p F is called with \p Arguments. Those for vectors name others, or elements of a new one.
void VectorReader::hand(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Arguments) {
  for (const ParmVarDecl *P : F->parameters()) {
    unsigned Position = P->getFunctionScopeIndex();
    if (!vectorIn(P->getType()) || Position >= Arguments.size())
      continue;
    if (!functionOf(P)) {
      keepParameter(F, Position, NotPlain, Arguments[Position]->getExprLoc());
      continue;
    }
    const Expr *Argument = Arguments[Position];
    const Expr *Copied = vectorCopied(Argument);
    const Expr *Given = Copied ? Copied : handedOn(Argument);
    if (std::string Named = vectorNamed(Given); !Named.empty()) {
      allow(Given);
      link(Named, parameterId(F, Position), Argument->getExprLoc());
    } else if (!makesOfElements(Argument)) {
      keepParameter(F, Position, "is handed something here that has its own type", Argument->getExprLoc());
    }
  }
}

/// The operands of the return statements of a function whose body is \p Body, and not of what is defined in it.
static llvm::SmallVector<const Expr *, 4> returnedIn(const Stmt *Body) {
  llvm::SmallVector<const Expr *, 4> Result;
  llvm::SmallVector<const Stmt *, 32> Work = {Body};
  while (!Work.empty()) {
    const Stmt *S = Work.pop_back_val();
    if (!S || isa<LambdaExpr, BlockExpr>(S))
      continue;
    if (const auto *Return = dyn_cast<ReturnStmt>(S); Return && Return->getRetValue())
      Result.push_back(Return->getRetValue());
    llvm::append_range(Work, S->children());
  }
  return Result;
}

/// \p F gives back a vector of numbers. As for parameter().
void VectorReader::result(const FunctionDecl *F) {
  if (!isOurs(F))
    return misuse(F, NotPlain, F->getLocation());
  if (F->doesThisDeclarationHaveABody())
    for (const Expr *E : returnedIn(F->getBody()))
      returned(F, E);
  llvm::SaveAndRestore<const FunctionDecl *> Outside(Enclosing, nullptr);
  for (const FunctionDecl *R : F->redecls())
    if (Results.insert(R).second)
      declare(R);
}

void VectorReader::returned(const FunctionDecl *F, const Expr *E) {
  if (F->getReturnType()->isReferenceType())
    refer(F, E, E->getExprLoc());
  else
    made(F, E, E->getExprLoc());
}

/// \p E calls \p F, which is not the standard library's.
void VectorReader::call(const CallExpr *E, const FunctionDecl *F) {
  Callees.insert(E->getCallee()->IgnoreParenImpCasts());
  hand(F, llvm::ArrayRef(E->getArgs(), E->getNumArgs()));
  if (!vectorIn(F->getReturnType()))
    return;
  if (!isOurs(F))
    misuse(F, NotPlain, E->getExprLoc());
  else if (!Discarded.contains(E))
    use(E, F);
}

static bool hasVectors(const FunctionDecl *F) {
  return vectorIn(F->getReturnType()) ||
         llvm::any_of(F->parameters(), [](const ParmVarDecl *P) { return vectorIn(P->getType()); });
}

void VectorReader::name(const Expr *E, const FunctionDecl *F) {
  if (hasVectors(F))
    Namings.push_back({E, F});
}

/// A function that is named and not called there may be called from anywhere, by its type; and a template's signature
/// may ask what can be called.
void VectorReader::finishFunctions() {
  for (const Naming &N : Namings) {
    if (Callees.contains(N.E))
      continue;
    constexpr const char *Taken = "belongs to a function whose address is taken";
    for (const ParmVarDecl *P : N.Of->parameters())
      if (vectorIn(P->getType()))
        keepParameter(N.Of, P->getFunctionScopeIndex(), Taken, N.E->getExprLoc());
    if (vectorIn(N.Of->getReturnType()))
      misuse(N.Of, Taken, N.E->getExprLoc());
  }
  constexpr const char *LookedAtOne = "belongs to a function at which a template may look";
  for (const ParmVarDecl *P : Parameters)
    if (LookedAt.contains(cast<FunctionDecl>(P->getDeclContext())->getName()))
      misuse(P, LookedAtOne, P->getLocation());
  for (const FunctionDecl *F : Results)
    if (LookedAt.contains(F->getName()))
      misuse(F, LookedAtOne, F->getLocation());
}
