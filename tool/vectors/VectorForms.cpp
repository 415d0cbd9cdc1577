// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors/VectorForms.h"
#include "syntax/Types.h"
#include "vectors/VectorTypes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

bool mpishm::givesElement(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name).Cases("at", "front", "back", true).Default(false);
}

bool mpishm::isPlainMemberOfNest(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("size", "empty", "capacity", "max_size", "reserve", "clear", "pop_back", "shrink_to_fit", true)
      .Cases("count", "contains", true)
      .Default(false);
}

bool mpishm::isPlainMember(llvm::StringRef Name) {
  return givesElement(Name) || isPlainMemberOfNest(Name) ||
         llvm::StringSwitch<bool>(Name)
             .Cases("data", "resize", "push_back", "assign", "emplace_back", true)
             .Default(false);
}

bool mpishm::givesIterator(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("begin", "end", "cbegin", "cend", "find", "lower_bound", "upper_bound", true)
      .Default(false);
}

static bool isIterator(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name).Cases("begin", "end", "cbegin", "cend", true).Default(false);
}

bool mpishm::changesAtIterator(llvm::StringRef Name) {
  return Name == "insert" || Name == "emplace" || Name == "erase";
}

const Expr *mpishm::objectOf(const CXXMemberCallExpr *Call, llvm::StringRef &Name) {
  const CXXMethodDecl *F = Call->getMethodDecl();
  const auto *Callee = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
  if (!F || !F->getIdentifier() || !Callee || Callee->hasQualifier())
    return nullptr;
  Name = F->getName();
  return Call->getImplicitObjectArgument();
}

/// The name of the function of the standard library's that \p E calls and whose template arguments follow from what it
/// is given; empty for others, and for member functions.
static llvm::StringRef standardCallee(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  const auto *Name = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts());
  bool Known = F && F->getIdentifier() && Types::isStandard(F) && Name && !Name->hasExplicitTemplateArgs();
  return Known ? F->getName() : "";
}

const Expr *mpishm::bare(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  while (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(E))
    E = Temporary->getSubExpr()->IgnoreParenImpCasts();
  return E;
}

const Expr *mpishm::handedOn(const Expr *E) {
  E = bare(E);
  const auto *Call = dyn_cast<CallExpr>(E);
  bool Moves = Call && standardCallee(Call) == "move" && Call->getDirectCallee()->getNumParams() == 1;
  return Moves ? bare(Call->getArg(0)) : E;
}

const Expr *mpishm::vectorCopied(const Expr *Init) {
  Init = Init ? bare(Init) : nullptr;
  if (isa_and_nonnull<CallExpr, CXXTemporaryObjectExpr, CXXFunctionalCastExpr>(Init) && Init->isPRValue() &&
      vectorIn(Init->getType()))
    return Init;
  const auto *Made = dyn_cast_or_null<CXXConstructExpr>(Init);
  bool Copies =
      Made && vectorIn(Made->getType()) && Made->getNumArgs() == 1 && Made->getConstructor()->isCopyOrMoveConstructor();
  return Copies ? handedOn(Made->getArg(0)) : nullptr;
}

const Expr *mpishm::vectorGiven(const Expr *Argument) {
  const Expr *Copied = vectorCopied(Argument);
  return Copied ? Copied : handedOn(Argument);
}

bool mpishm::isOfTwoVectors(OverloadedOperatorKind Operator) {
  return llvm::is_contained(
      {OO_Equal, OO_EqualEqual, OO_ExclaimEqual, OO_Less, OO_Greater, OO_LessEqual, OO_GreaterEqual, OO_Spaceship},
      Operator);
}

/// Functions of <algorithm> and <iterator> that give back an iterator of their first range.
static bool findsInFirst(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("adjacent_find", "find", "find_if", "find_if_not", "find_end", "find_first_of", "is_heap_until", true)
      .Cases("is_sorted_until", "lower_bound", "max_element", "min_element", "next", "partition_point", "prev", true)
      .Cases("remove", "remove_if", "search", "search_n", "unique", "upper_bound", true)
      .Default(false);
}

const Expr *mpishm::withoutConversions(const Expr *E) {
  E = E->IgnoreImplicit()->IgnoreParens()->IgnoreImplicit();
  const auto *Copy = dyn_cast<CXXConstructExpr>(E);
  bool OfLibrary = Copy && !isa<CXXTemporaryObjectExpr>(Copy) && Copy->getNumArgs() == 1 &&
                   Types::isStandard(Copy->getConstructor()->getParent());
  return OfLibrary ? withoutConversions(Copy->getArg(0)) : E;
}

const Expr *mpishm::vectorOfIterator(const Expr *E) {
  E = withoutConversions(E);
  if (const auto *Named = dyn_cast<DeclRefExpr>(E))
    return standardClassOf(E->getType()) && !isVector(E->getType()) && isa<VarDecl>(Named->getDecl()) ? E : nullptr;
  llvm::StringRef Name;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const Expr *Object = objectOf(Call, Name);
    bool Gives = Object && (isIterator(Name) || changesAtIterator(Name)) && isFlat(Object->getType());
    return Gives ? Object : nullptr;
  }
  const auto *Search = dyn_cast<CallExpr>(E);
  if (Search && ::isIterator(standardCallee(Search)) && Search->getNumArgs() == 1)
    return isFlat(Search->getArg(0)->getType()) ? Search->getArg(0) : nullptr;
  if (Search && Search->getNumArgs() && onlyFollowsIterators(Search) &&
      findsInFirst(Search->getDirectCallee()->getName()))
    return vectorOfIterator(Search->getArg(0));
  const auto *Sum = dyn_cast<CXXOperatorCallExpr>(E);
  bool Moves = Sum && Sum->getDirectCallee() && Types::isStandard(Sum->getDirectCallee()) && movesIterator(Sum);
  return Moves ? vectorOfIterator(Sum->getArg(0)) : nullptr;
}

bool mpishm::movesIterator(const CXXOperatorCallExpr *E) {
  OverloadedOperatorKind Operator = E->getOperator();
  if (Operator == OO_PlusPlus || Operator == OO_MinusMinus)
    return true;
  return llvm::is_contained({OO_Plus, OO_Minus, OO_PlusEqual, OO_MinusEqual}, Operator) && E->getNumArgs() == 2 &&
         E->getArg(1)->getType()->isArithmeticType();
}

/// Functions of <algorithm>, <numeric>, <memory> and <iterator>.
static const llvm::StringSet<> &algorithms() {
  static const llvm::StringSet<> Names = {"accumulate",
                                          "adjacent_difference",
                                          "advance",
                                          "all_of",
                                          "any_of",
                                          "binary_search",
                                          "copy",
                                          "copy_backward",
                                          "copy_if",
                                          "copy_n",
                                          "count",
                                          "count_if",
                                          "distance",
                                          "equal",
                                          "exclusive_scan",
                                          "fill",
                                          "fill_n",
                                          "for_each",
                                          "for_each_n",
                                          "generate",
                                          "generate_n",
                                          "includes",
                                          "inclusive_scan",
                                          "inner_product",
                                          "inplace_merge",
                                          "iota",
                                          "is_heap",
                                          "is_partitioned",
                                          "is_permutation",
                                          "is_sorted",
                                          "iter_swap",
                                          "make_heap",
                                          "lexicographical_compare",
                                          "merge",
                                          "move",
                                          "move_backward",
                                          "next_permutation",
                                          "none_of",
                                          "nth_element",
                                          "partial_sort",
                                          "partial_sort_copy",
                                          "partial_sum",
                                          "partition",
                                          "pop_heap",
                                          "prev_permutation",
                                          "push_heap",
                                          "random_shuffle",
                                          "reduce",
                                          "remove_copy",
                                          "remove_copy_if",
                                          "replace",
                                          "replace_copy",
                                          "replace_copy_if",
                                          "replace_if",
                                          "reverse",
                                          "reverse_copy",
                                          "rotate",
                                          "rotate_copy",
                                          "sample",
                                          "set_difference",
                                          "set_intersection",
                                          "set_union",
                                          "shuffle",
                                          "sort",
                                          "sort_heap",
                                          "stable_partition",
                                          "stable_sort",
                                          "swap_ranges",
                                          "transform",
                                          "transform_reduce",
                                          "uninitialized_copy",
                                          "unique_copy",
                                          "uninitialized_fill"};
  return Names;
}

bool mpishm::swapsItsArguments(const CallExpr *E) {
  return standardCallee(E) == "swap" && E->getNumArgs() == 2 && vectorIn(E->getArg(0)->getType()) &&
         vectorIn(E->getArg(1)->getType());
}

bool mpishm::measuresItsArgument(const CallExpr *E) {
  bool Measures =
      llvm::StringSwitch<bool>(standardCallee(E)).Cases("size", "ssize", "empty", "data", true).Default(false);
  if (!Measures || E->getNumArgs() != 1)
    return false;
  QualType Type = E->getArg(0)->getType();
  return standardCallee(E) == "data" ? isFlat(Type) : vectorIn(Type) != nullptr;
}

bool mpishm::isElementList(QualType Type) {
  const ClassTemplateSpecializationDecl *Class = standardClassOf(Type);
  return Class && Class->getName() == "initializer_list";
}

bool mpishm::onlyFollowsIterators(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  if (!F || !F->getIdentifier() || !F->getPrimaryTemplate() || !Types::isStandard(F))
    return false;
  if (const auto *Member = dyn_cast<MemberExpr>(E->getCallee()->IgnoreParenImpCasts()))
    return !Member->hasExplicitTemplateArgs() &&
           llvm::StringSwitch<bool>(F->getName()).Cases("assign", "insert", "append", true).Default(false);
  llvm::StringRef Name = standardCallee(E);
  return algorithms().contains(Name) || findsInFirst(Name);
}

/// True for the arguments of a vector's constructor that say no more than its elements, of type \p Element: numbers,
/// elements, lists of them, and what a constructor takes for any type of iterator.
static bool isOfElements(const Expr *Argument, QualType Element, bool AnyIterator) {
  if (isa<CXXDefaultArgExpr>(Argument))
    return true;
  const Expr *E = Argument->IgnoreImplicit();
  QualType Type = E->getType();
  if (isa<InitListExpr>(E) || Type->isArithmeticType() || Type->isEnumeralType())
    return true;
  if (isElementList(Type) ||
      (!Element.isNull() && Element->getCanonicalTypeUnqualified() == Type->getCanonicalTypeUnqualified()))
    return true;
  const ClassTemplateSpecializationDecl *Class = standardClassOf(Type);
  if (AnyIterator && vectorOfIterator(E))
    return true;
  return AnyIterator && (Type->isAnyPointerType() || Type->isArrayType() || Type->isRecordType()) &&
         !mentionsVector(Type) && !(Class && Class->getName() == "allocator");
}

bool mpishm::isNumber(const Expr *E) {
  QualType Type = E->IgnoreImplicit()->getType();
  return Type->isArithmeticType() || Type->isEnumeralType();
}

/// True for an argument of a nest's constructor that says how many elements there are, or makes one of numbers.
static bool isOfNest(const Expr *Argument) {
  return isa<CXXDefaultArgExpr>(Argument) || isNumber(Argument) ||
         (vectorIn(Argument->getType()) && makesOfElements(Argument));
}

/// True when a vector is made of elements, or of their number, by \p Made.
static bool isOfElements(const CXXConstructExpr *Made) {
  if (Made->getConstructor()->isCopyOrMoveConstructor())
    return false;
  if (isNest(Made->getType()))
    return llvm::all_of(Made->arguments(), isOfNest);
  bool AnyIterator = Made->getConstructor()->getPrimaryTemplate() != nullptr;
  const ClassTemplateSpecializationDecl *Vector = vectorIn(Made->getType());
  QualType Element = Vector ? elementOfVector(Vector) : QualType();
  return llvm::all_of(Made->arguments(), [&](const Expr *A) { return isOfElements(A, Element, AnyIterator); });
}

bool mpishm::makesOfElements(const Expr *Init) {
  const Expr *E = Init ? Init->IgnoreImplicit() : nullptr;
  if (const auto *Default = dyn_cast_or_null<CXXDefaultInitExpr>(E))
    E = Default->getExpr()->IgnoreImplicit();
  if (!E || isa<ImplicitValueInitExpr>(E))
    return true;
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 0;
  // A constructor in a template, of which there may be no instance.
  if (const auto *List = dyn_cast<ParenListExpr>(E))
    return llvm::none_of(List->children(), [](const Stmt *S) {
      const auto *A = dyn_cast_or_null<Expr>(S);
      return A && !A->isTypeDependent() && !isOfElements(A, {}, true);
    });
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  return Made && !isa<CXXTemporaryObjectExpr>(Made) && isOfElements(Made);
}

const Expr *mpishm::elementRepeated(const Expr *Init) {
  const auto *Made = Init ? dyn_cast<CXXConstructExpr>(bare(Init)) : nullptr;
  if (!Made || !isNest(Made->getType()) || Made->getNumArgs() < 2 || !vectorIn(Made->getArg(1)->getType()) ||
      !Made->getArg(0)->IgnoreImplicit()->getType()->isArithmeticType() ||
      (Made->getNumArgs() == 3 && !isa<CXXDefaultArgExpr>(Made->getArg(2))))
    return nullptr;
  return vectorGiven(Made->getArg(1));
}

TypeLoc mpishm::typeOfTemporary(const Expr *E) {
  const TypeSourceInfo *Written = nullptr;
  if (const auto *Temporary = dyn_cast<CXXTemporaryObjectExpr>(E))
    Written = Temporary->getTypeSourceInfo();
  else if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
    Written = Cast->getTypeInfoAsWritten();
  return Written && vectorIn(E->getType()) ? Written->getTypeLoc() : TypeLoc();
}

const Expr *mpishm::vectorConverted(const Expr *E) {
  const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E);
  return Cast ? vectorCopied(Cast->getSubExpr()) : nullptr;
}

bool mpishm::isTemporaryOfElements(const Expr *E) {
  if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
    return makesOfElements(Cast->getSubExpr());
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  return Made && isOfElements(Made);
}
