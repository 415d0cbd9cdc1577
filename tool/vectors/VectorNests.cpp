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

static bool isNumber(const Expr *E) {
  QualType Type = E->IgnoreImplicit()->getType();
  return Type->isArithmeticType() || Type->isEnumeralType();
}

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
  bool ByKey = Name == "erase" && Arguments.size() == 1 && isNumber(Arguments[0]);
  // These give the new element, since C++17, or its place.
  bool Emplaces = (Name == "emplace_back" || Name == "emplace" || Name == "try_emplace") && Discarded.contains(E);
  if (givesElement(Name))
    element(E, Nest);
  else if (isPlainMemberOfNest(Name) || ByKey)
    allow(Nest);
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
    const Expr *Copied = vectorCopied(A), *Given = Copied ? Copied : handedOn(A);
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

/// The map of whose element \p E is the name in a loop over it: `pair.second`, or `v` of `auto &[i, v]`; or null.
const Expr *VectorReader::mapOf(const Expr *E) const {
  if (const auto *Name = dyn_cast<DeclRefExpr>(E))
    return Seconds.lookup(Name->getDecl());
  const auto *Member = dyn_cast<MemberExpr>(E);
  const auto *Pair = Member ? dyn_cast<DeclRefExpr>(bare(Member->getBase())) : nullptr;
  bool Second = Pair && Member->getMemberDecl()->getIdentifier() && Member->getMemberDecl()->getName() == "second";
  return Second ? Pairs.lookup(Pair->getDecl()) : nullptr;
}

/// \p E may name a pair of a map, of which nothing but its members is asked for, or an element.
void VectorReader::inPair(const Expr *E) {
  const auto *Pair = dyn_cast<DeclRefExpr>(E);
  if (const Expr *Map = Pair ? Pairs.lookup(Pair->getDecl()) : nullptr)
    Unnamed.push_back({E, vectorNamed(Map)});
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Of = dyn_cast<DeclRefExpr>(bare(Member->getBase()));
    if (Of && Pairs.contains(Of->getDecl()))
      allow(Of);
  }
  if (const Expr *Map = mapOf(E))
    element(E, Map);
}

/// `map.find(i) == map.end()`: nothing is seen of \p A and \p B, iterators of a nest, but whether they are the same
/// one.
bool VectorReader::compareInNest(const Expr *A, const Expr *B) {
  auto Of = [](const Expr *E) -> const Expr * {
    llvm::StringRef Name;
    const auto *Call = dyn_cast<CXXMemberCallExpr>(withoutConversions(E));
    const Expr *Object = Call ? objectOf(Call, Name) : nullptr;
    bool Finds = Name == "find" || Name == "begin" || Name == "end" || Name == "cbegin" || Name == "cend";
    return Object && Finds && isNest(Object->getType()) ? Object : nullptr;
  };
  const Expr *First = Of(A), *Second = Of(B);
  if (First && Second)
    allowAll({First, Second});
  return First && Second;
}
