// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms in which a std::vector of numbers or plain records may be written and used so that another allocator
// changes nothing. All that is not among them depends on its type: there is no list of what does.

#ifndef MPISHM_TOOL_POINTERS_VECTORFORMS_H
#define MPISHM_TOOL_POINTERS_VECTORFORMS_H

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"

namespace mpishm {

/// The std::vector of numbers that \p Type is, or refers to; null for others. Records that are copied byte by byte
/// count as numbers here and in what follows, as do those of which the unit does not know that. vector<bool> has no
/// elements.
const clang::ClassTemplateSpecializationDecl *vectorIn(clang::QualType Type);

clang::QualType elementOfVector(const clang::ClassTemplateSpecializationDecl *Vector);

/// False for a vector of a record that the unit does not define.
bool knowsElements(const clang::ClassTemplateSpecializationDecl *Vector);

/// True for every std::vector, and references to it.
bool isVector(clang::QualType Type);

/// True for such a vector, and for what the standard library makes of one: std::optional<std::vector<double>>.
bool mentionsVector(clang::QualType Type);

/// Calls \p Each with the members that are such vectors, of \p Type, of its bases, members and elements, and of what a
/// class of the standard library holds of them.
void eachVectorIn(clang::QualType Type, llvm::function_ref<void(const clang::FieldDecl *)> Each);

/// Calls \p Each with the class that \p Type is, or refers or points to; of one of the standard library, with those
/// that it holds.
void eachClassIn(clang::QualType Type, llvm::function_ref<void(const clang::CXXRecordDecl *)> Each);

/// Calls \p Each with the types among \p Arguments, packs opened.
void eachType(llvm::ArrayRef<clang::TemplateArgument> Arguments, llvm::function_ref<void(clang::QualType)> Each);

/// "std" or "mpishm": whose allocator \p Vector has; empty for another's.
llvm::StringRef ownerOfAllocator(const clang::ClassTemplateSpecializationDecl *Vector);

/// Where `std::vector<T>` is written in \p Written, the type of a declarator, or for an alias that is named there; it
/// may be what a pointer points to, or a function returns. None where its name is another.
clang::TemplateSpecializationTypeLoc vectorWrittenIn(clang::TypeLoc Written, const clang::SourceManager &SM);

/// The type that \p E, a temporary vector of numbers, is made by: `std::vector<double>(n)`; none for others.
clang::TypeLoc typeOfTemporary(const clang::Expr *E);

/// The vector of which \p E, such a temporary, is a copy, as vectorCopied says it.
const clang::Expr *vectorConverted(const clang::Expr *E);

/// True when \p E, such a temporary, is made of elements, or of their number.
bool isTemporaryOfElements(const clang::Expr *E);

/// The first argument of \p Vector as it is written: tokens of the file, or the name of a macro that has no parameters;
/// empty for others.
std::string writtenArgument(clang::TemplateSpecializationTypeLoc Vector, const clang::SourceManager &SM,
                            const clang::LangOptions &Options);

/// Member functions whose types do not name the vector's.
bool isPlainMember(llvm::StringRef Name);

/// The object of which \p Call calls a member function by its plain name, and what it is called; or null.
const clang::Expr *objectOf(const clang::CXXMemberCallExpr *Call, llvm::StringRef &Name);

/// \p E without what the compiler puts around it, parentheses, and the temporary that keeps its result.
const clang::Expr *bare(const clang::Expr *E);

/// What \p E hands on: itself, or the operand of std::move.
const clang::Expr *handedOn(const clang::Expr *E);

/// The vector, as an expression, of which \p Init makes a copy, or from which it takes the elements; or the call or
/// temporary that it is; or null.
const clang::Expr *vectorCopied(const clang::Expr *Init);

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

/// True when \p F may be called where a constant is needed: it says constexpr, or stands in a function that does.
bool mayBeConstant(const clang::FunctionDecl *F);

} // namespace mpishm

#endif
