// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors and arrays of vectors, as programs keep for a message to each of their neighbours. A nest has the name of its
// elements' type in its own, and all that are in one have one type: so a nest, what it is made of, what is placed in it
// and what refers to one of its elements change together. How an element is used says as much of a nest as how itself
// is.

#include "vectors/VectorReader.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

/// The nest, as an expression, of which \p E is an element: `nest[i]`, `nest.back()`, or what a loop over it comes to;
/// or null.
const Expr *VectorReader::nestOf(const Expr *E) const {
  llvm::StringRef Name;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const Expr *Object = objectOf(Call, Name);
    return Object && givesElement(Name) && isNest(Object->getType()) ? Object : nullptr;
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Array = bare(Subscript->getBase());
    return isNest(Array->getType()) ? Array : nullptr;
  }
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
  if (Operator && Operator->getOperator() == OO_Subscript)
    return isNest(Operator->getArg(0)->getType()) ? Operator->getArg(0) : nullptr;
  const Expr *Followed = nullptr;
  if (Operator && Operator->getOperator() == OO_Star && Operator->getNumArgs() == 1)
    Followed = Operator->getArg(0);
  else if (const auto *Star = dyn_cast<UnaryOperator>(E); Star && Star->getOpcode() == UO_Deref)
    Followed = Star->getSubExpr();
  const auto *At = Followed ? dyn_cast<DeclRefExpr>(bare(Followed)) : nullptr;
  return At ? Begins.lookup(At->getDecl()) : nullptr;
}

/// \p E is an element of \p Nest. It is looked at as a vector that has a name.
void VectorReader::element(const Expr *E, const Expr *Nest) {
  allow(Nest);
  if (std::string Id = vectorNamed(Nest); !Id.empty())
    Unnamed.push_back({E, std::move(Id)});
}

/// \p E calls the member function \p Name of \p Nest.
void VectorReader::call(const CXXMemberCallExpr *E, const Expr *Nest, llvm::StringRef Name) {
  llvm::ArrayRef<const Expr *> Arguments(E->getArgs(), E->getNumArgs());
  if (givesElement(Name))
    element(E, Nest);
  else if (isPlainMemberOfNest(Name))
    allow(Nest);
  else if (Name == "push_back" || Name == "resize" || Name == "assign" || Name == "fill" ||
           (Name == "emplace_back" && Discarded.contains(E))) // it gives the new element, in C++17
    place(Nest, Arguments);
  else
    change(E, Nest, Name);
}

/// \p Nest gets elements that are made of \p Arguments: of numbers, or copies of vectors that have the type of its
/// elements. Nothing when they are not all known.
void VectorReader::place(const Expr *Nest, llvm::ArrayRef<const Expr *> Arguments) {
  llvm::SmallVector<const Expr *, 2> Vectors;
  for (const Expr *A : Arguments) {
    QualType Type = A->IgnoreImplicit()->getType();
    const Expr *Copied = vectorCopied(A), *Given = Copied ? Copied : handedOn(A);
    if (!vectorNamed(Given).empty())
      Vectors.push_back(Given);
    else if (!isa<CXXDefaultArgExpr>(A) && !Type->isArithmeticType() && !Type->isEnumeralType() &&
             !(vectorIn(A->getType()) && makesOfElements(A)))
      return;
  }
  std::string Id = vectorNamed(Nest);
  if (Id.empty())
    return;
  allow(Nest);
  for (const Expr *E : Vectors) {
    allow(E);
    link(Id, vectorNamed(E), E->getExprLoc());
  }
}

/// What \p S, a loop over a nest, calls its elements has their type.
void VectorReader::loop(const CXXForRangeStmt *S) {
  const VarDecl *Variable = S->getLoopVariable();
  const auto *Begin = S->getBeginStmt() ? cast<VarDecl>(S->getBeginStmt()->getSingleDecl()) : nullptr;
  std::string Id = vectorNamed(S->getRangeInit());
  if (InPattern || !Begin || !Variable || isa<DecompositionDecl>(Variable) || !vectorIn(Variable->getType()) ||
      Id.empty())
    return;
  Begins[Begin] = S->getRangeInit();
  allow(S->getRangeInit());
  link(std::move(Id), idOfVector(Variable), Variable->getLocation());
}
