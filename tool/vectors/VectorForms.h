// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms in which a std::vector of numbers or plain records may be used so that another allocator changes nothing.
// All that is not among them depends on its type: there is no list of what does.

#ifndef MPISHM_TOOL_VECTORS_VECTORFORMS_H
#define MPISHM_TOOL_VECTORS_VECTORFORMS_H

#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"

namespace mpishm {

/// The type that \p E, a temporary vector of numbers, is made by: `std::vector<double>(n)`; none for others.
clang::TypeLoc typeOfTemporary(const clang::Expr *E);

/// The vector of which \p E, such a temporary, is a copy, as vectorCopied says it.
const clang::Expr *vectorConverted(const clang::Expr *E);

/// True when \p E, such a temporary, is made of elements, or of their number.
bool isTemporaryOfElements(const clang::Expr *E);

/// Member functions whose types do not name the vector's.
bool isPlainMember(llvm::StringRef Name);

/// Such of a nest, and those that give one of its elements.
bool isPlainMemberOfNest(llvm::StringRef Name);
bool givesElement(llvm::StringRef Name);

/// Member functions that give an iterator and change nothing.
bool givesIterator(llvm::StringRef Name);

/// The vector that \p Init, the initialiser of a nest, makes each element of: `(n, v)`; or null.
const clang::Expr *elementRepeated(const clang::Expr *Init);

/// The object of which \p Call calls a member function by its plain name, and what it is called; or null.
const clang::Expr *objectOf(const clang::CXXMemberCallExpr *Call, llvm::StringRef &Name);

/// \p E without what the compiler puts around it, parentheses, and the temporary that keeps its result.
const clang::Expr *bare(const clang::Expr *E);

/// What \p E hands on: itself, or the operand of std::move.
const clang::Expr *handedOn(const clang::Expr *E);

/// The vector, as an expression, of which \p Init makes a copy, or from which it takes the elements; or the call or
/// temporary that it is; or null.
const clang::Expr *vectorCopied(const clang::Expr *Init);

/// What a parameter, or an element, gets of \p Argument: the vector that vectorCopied says, or what is handed on.
const clang::Expr *vectorGiven(const clang::Expr *Argument);

/// True for what has a number's type before it is converted.
bool isNumber(const clang::Expr *E);

/// True for an operator that the standard library defines for two vectors of one type, and nothing but its result
/// depends on them: `=`, `==`, `<`.
bool isOfTwoVectors(clang::OverloadedOperatorKind Operator);

/// True for the standard library's swap of two vectors of one type.
bool swapsItsArguments(const clang::CallExpr *E);

/// True for the standard library's size, ssize, empty and data of a vector.
bool measuresItsArgument(const clang::CallExpr *E);

/// True for std::initializer_list.
bool isElementList(clang::QualType Type);

/// What \p E, an iterator, is before the standard library makes another type of it.
const clang::Expr *withoutConversions(const clang::Expr *E);

/// Member functions that take an iterator of the vector and give one back.
bool changesAtIterator(llvm::StringRef Name);

/// True for `++i`, `i + n` and the like, of whatever \p E is called for.
bool movesIterator(const clang::CXXOperatorCallExpr *E);

/// The vector, as an expression, that the iterator \p E was taken from: `v.begin() + n`, `std::find(v.begin(), …)`; or
/// the variable that holds the iterator; or null.
const clang::Expr *vectorOfIterator(const clang::Expr *E);

/// True when \p E calls a function of the standard library that does no more with iterators than to move them and to
/// follow them, and finds their types itself.
bool onlyFollowsIterators(const clang::CallExpr *E);

/// True when \p E, the initialiser of a vector, makes it of elements, or of their number; null is none.
bool makesOfElements(const clang::Expr *E);

} // namespace mpishm

#endif
