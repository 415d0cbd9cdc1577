// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors, arrays and maps of vectors, as programs keep for a message to each of their neighbours. A nest has the name
// of its elements' type in its own, and all that are in one have one type: so a nest, what it is made of, what is
// placed in it and what refers to one of its elements change together. How an element is used says as much of a nest as
// how itself is.

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
  if (const Expr *Map = mapOf(E))
    return Map;
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
  if (const Expr *Nest = At ? Begins.lookup(At->getDecl()) : nullptr)
    return Nest;
  return Followed && vectorIn(E->getType()) ? nestOfIterator(Followed) : nullptr;
}

/// \p E is an element of \p Nest. It is looked at as a vector that has a name.
void VectorReader::element(const Expr *E, const Expr *Nest) {
  allow(Nest);
  if (std::string Id = vectorNamed(Nest); !Id.empty())
    Unnamed.push_back({E, std::move(Id)});
}

/// \p E is an element of \p Of, by an index or key.
void VectorReader::subscript(const Expr *E, const Expr *Of) {
  if (const Expr *Nest = nestOf(E))
    element(E, Nest);
  else
    allow(Of);
}

/// \p E calls the member function \p Name of \p Nest.
void VectorReader::call(const CXXMemberCallExpr *E, const Expr *Nest, llvm::StringRef Name) {
  llvm::ArrayRef<const Expr *> Arguments(E->getArgs(), E->getNumArgs());
  bool ByKey = Name == "erase" && Arguments.size() == 1 && isNumber(Arguments[0]);
  const Expr *At =
      Name == "erase" && Arguments.size() == 1 && Discarded.contains(E) ? nestOfIterator(Arguments[0]) : nullptr;
  // These give the new element, since C++17, or its place.
  bool Emplaces = (Name == "emplace_back" || Name == "emplace" || Name == "try_emplace") && Discarded.contains(E);
  if (givesElement(Name))
    element(E, Nest);
  else if (isPlainMemberOfNest(Name) || ByKey)
    allow(Nest);
  else if (At)
    allowAll({Nest, At});
  else if (Name == "push_back" || Name == "resize" || Name == "assign" || Name == "fill" || Emplaces)
    place(Nest, Arguments);
  else
    change(E, Nest, Name);
}

/// \p Nest gets elements that are made of \p Arguments: of numbers, or copies of vectors that have the type of its
/// elements; of a map, the first is the key. Nothing when they are not all known.
void VectorReader::place(const Expr *Nest, llvm::ArrayRef<const Expr *> Arguments) {
  if (isMapOfVectors(Nest->getType()) && (Arguments.empty() || !isNumber(Arguments.front())))
    return;
  llvm::SmallVector<const Expr *, 2> Vectors;
  for (const Expr *A : Arguments) {
    const Expr *Given = vectorGiven(A);
    if (!vectorNamed(Given).empty())
      Vectors.push_back(Given);
    else if (!isa<CXXDefaultArgExpr>(A) && !isNumber(A) && !(vectorIn(A->getType()) && makesOfElements(A)))
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

/// What \p S, a loop over a nest, calls its elements has their type; of a map, they are in pairs.
void VectorReader::loop(const CXXForRangeStmt *S) {
  const VarDecl *Variable = S->getLoopVariable();
  const Expr *Nest = S->getRangeInit();
  const auto *Begin = S->getBeginStmt() ? cast<VarDecl>(S->getBeginStmt()->getSingleDecl()) : nullptr;
  std::string Id = vectorNamed(Nest);
  if (InPattern || !Begin || !Variable || Id.empty())
    return;
  const auto *Names = dyn_cast<DecompositionDecl>(Variable);
  const AutoType *Type = Variable->getTypeSourceInfo()->getType()->getContainedAutoType();
  bool Refers = Type && !Type->isConstrained() && Variable->getType()->isReferenceType();
  if (isMapOfVectors(Nest->getType()) && Refers) {
    if (!Names)
      Pairs[Variable] = Nest;
    else if (Names->bindings().size() == 2)
      Seconds[Names->bindings()[1]] = Nest;
    allow(Nest);
  } else if (vectorIn(Variable->getType()) && !Names) {
    Begins[Begin] = Nest;
    allow(Nest);
    link(std::move(Id), idOfVector(Variable), Variable->getLocation());
  }
}

/// Of `it->second` and `(*it).second`, where \p E is what is before the name: the iterator; or null.
static const Expr *iteratorBefore(const Expr *E) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(bare(E));
  bool Follows = Operator && Operator->getNumArgs() == 1 &&
                 (Operator->getOperator() == OO_Arrow || Operator->getOperator() == OO_Star);
  return Follows ? Operator->getArg(0) : nullptr;
}

/// The map of whose element \p E is the name: `pair.second` or `v` of `auto &[i, v]` in a loop over it, `it->second` of
/// an iterator; or null.
const Expr *VectorReader::mapOf(const Expr *E) const {
  if (const auto *Name = dyn_cast<DeclRefExpr>(E))
    return Seconds.lookup(Name->getDecl());
  const auto *Member = dyn_cast<MemberExpr>(E);
  const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  if (!Field || !Field->getIdentifier() || Field->getName() != "second")
    return nullptr;
  if (const Expr *Iterator = iteratorBefore(Member->getBase()))
    return nestOfIterator(Iterator);
  const auto *Pair = dyn_cast<DeclRefExpr>(bare(Member->getBase()));
  return Pair ? Pairs.lookup(Pair->getDecl()) : nullptr;
}

/// \p E may name a pair of a map, of which nothing but its members is asked for, or an element.
void VectorReader::inPair(const Expr *E) {
  const auto *Pair = dyn_cast<DeclRefExpr>(E);
  if (const Expr *Map = Pair ? Pairs.lookup(Pair->getDecl()) : nullptr)
    Unnamed.push_back({E, vectorNamed(Map)});
  if (const auto *Member = dyn_cast<MemberExpr>(E); Member && isa<FieldDecl>(Member->getMemberDecl())) {
    const Expr *Iterator = iteratorBefore(Member->getBase());
    const auto *Of = dyn_cast<DeclRefExpr>(bare(Member->getBase()));
    if (Iterator ? nestOfIterator(Iterator) != nullptr : Of && Pairs.contains(Of->getDecl()))
      allow(Member->getBase());
  }
  if (const Expr *Map = mapOf(E))
    element(E, Map);
}

/// The nest, as an expression, that the iterator \p E was taken from, or the variable that holds the iterator; or null.
const Expr *VectorReader::nestOfIterator(const Expr *E) const {
  E = withoutConversions(E);
  if (const auto *Named = dyn_cast<DeclRefExpr>(E))
    return NestIterators.contains(Named->getDecl()) ? E : nullptr;
  llvm::StringRef Name;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const Expr *Object = objectOf(Call, Name);
    return Object && givesIterator(Name) && isNest(Object->getType()) ? Object : nullptr;
  }
  const auto *Sum = dyn_cast<CXXOperatorCallExpr>(E);
  return Sum && Sum->getNumArgs() && movesIterator(Sum) ? nestOfIterator(Sum->getArg(0)) : nullptr;
}

/// As vectorOfIterator; null for iterators of nests, of which less may be known.
const Expr *VectorReader::flatVectorOf(const Expr *Iterator) const {
  const Expr *Vector = vectorOfIterator(Iterator);
  const auto *Named = Vector ? dyn_cast<DeclRefExpr>(bare(Vector)) : nullptr;
  return Named && NestIterators.contains(Named->getDecl()) ? nullptr : Vector;
}

/// \p D, of a type that its initialiser tells, is an iterator of \p Nest.
void VectorReader::iterateNest(const VarDecl *D, const Expr *Nest) {
  std::string Named = vectorNamed(Nest);
  if (Named.empty())
    return;
  Iterators.insert(D);
  NestIterators.insert(D);
  Declared.insert(idOfVector(D));
  Discarded.insert(withoutConversions(D->getInit()));
  allow(Nest);
  link(idOfVector(D), std::move(Named), D->getLocation());
}

/// \p E calls the standard library's operator for \p A, an iterator of a nest, and, if that is not null, \p B.
void VectorReader::operateInNest(const CXXOperatorCallExpr *E, const Expr *A, const Expr *B) {
  const Expr *First = nestOfIterator(A), *Second = B ? nestOfIterator(B) : nullptr;
  Discarded.insert(withoutConversions(A));
  if (Second) { // it == end(), it = find(), it - begin()
    Discarded.insert(withoutConversions(B));
    allowAll({First, Second});
  } else if (movesIterator(E)) {
    allowAll({First});
  } else if (!B && (E->getOperator() == OO_Star || E->getOperator() == OO_Arrow)) {
    element(E, First);
  }
}
