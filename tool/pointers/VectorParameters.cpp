// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are parameters: all declarations of a function, and all that it is handed for them, have one type. Only
// plain functions are known, which nothing but their calls can tell by their type.

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
  bool Ours = llvm::all_of(F->redecls(), [&](const FunctionDecl *R) {
    return isPlain(R) && !Where.isLibrary(R->getLocation()) && !R->getParamDecl(Position)->hasDefaultArg();
  });
  return Ours && !Types::isStandard(F) ? F : nullptr;
}

bool VectorReader::isChangeable(const ValueDecl *D) const {
  const auto *P = dyn_cast<ParmVarDecl>(D);
  return !P || functionOf(P);
}

std::string VectorReader::parameterId(const FunctionDecl *F, unsigned Position) const {
  return "parameter:" + mpishm::idOf(F, Where) + "#" + std::to_string(Position);
}

void VectorReader::describe(const ParmVarDecl *P, VectorDeclaration &V) const {
  const auto *F = cast<FunctionDecl>(P->getDeclContext());
  V.Parameter = parameterId(F, P->getFunctionScopeIndex());
  V.Defined = F->isDefined();
}

/// Also for other units, which may see no reason themselves.
void VectorReader::keepParameter(const FunctionDecl *F, unsigned Position, const char *Why, SourceLocation Loc) {
  Nodes.Facts.VectorMisuses.push_back({parameterId(F, Position), Why, Where.at(Loc)});
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
    if (const ValueDecl *Named = declarationOf(Given)) {
      allow(Given);
      Nodes.Facts.VectorLinks.push_back({mpishm::idOf(Named, Where), parameterId(F, Position)});
    } else if (!makesOfElements(Argument)) {
      keepParameter(F, Position, "is handed something here that has its own type", Argument->getExprLoc());
    }
  }
}

void VectorReader::name(const Expr *E, const FunctionDecl *F) {
  if (llvm::any_of(F->parameters(), [](const ParmVarDecl *P) { return vectorIn(P->getType()); }))
    Namings.push_back({E, F});
}

/// A function that is named and not called there may be called from anywhere, by its type; and a template's signature
/// may ask what can be called.
void VectorReader::finishParameters() {
  for (const Naming &N : Namings)
    for (const ParmVarDecl *P : N.Of->parameters())
      if (!Callees.contains(N.E) && vectorIn(P->getType()))
        keepParameter(N.Of, P->getFunctionScopeIndex(), "belongs to a function whose address is taken",
                      N.E->getExprLoc());
  for (const ParmVarDecl *P : Parameters) {
    const auto *F = cast<FunctionDecl>(P->getDeclContext());
    if (LookedAt.contains(F->getName()))
      misuse(P, "belongs to a function at which a template may look", P->getLocation());
  }
}
