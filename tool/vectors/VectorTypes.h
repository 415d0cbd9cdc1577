// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a std::vector of numbers or plain records, and how its type is written.

#ifndef MPISHM_TOOL_VECTORS_VECTORTYPES_H
#define MPISHM_TOOL_VECTORS_VECTORTYPES_H

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/SmallVector.h"

namespace mpishm {

/// The class of the standard library, made from a template, that \p Type is, or refers to; null for others.
const clang::ClassTemplateSpecializationDecl *standardClassOf(clang::QualType Type);

/// The std::vector of numbers that \p Type is, or refers to; of a nest, which is a std::vector, a std::array, an array,
/// a std::map or a std::unordered_map of such vectors or of nests, the innermost one; null for others. Records that are
/// copied byte by byte count as numbers here and in what follows, as do those of which the unit does not know that.
/// vector<bool> has no elements.
const clang::ClassTemplateSpecializationDecl *vectorIn(clang::QualType Type);

bool isNest(clang::QualType Type);

/// True for a nest that is a map.
bool isMapOfVectors(clang::QualType Type);

/// True for a vector of numbers that is no nest.
bool isFlat(clang::QualType Type);

clang::QualType elementOfVector(const clang::ClassTemplateSpecializationDecl *Vector);

/// False for a vector of a record that the unit does not define.
bool knowsElements(const clang::ClassTemplateSpecializationDecl *Vector);

/// True for every std::vector, array and map of them, and references to it.
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

/// How a vector is written.
struct WrittenVector {
  clang::TemplateSpecializationTypeLoc Innermost;      ///< of a nest: of whose elements the vector is one
  llvm::SmallVector<clang::TypedefTypeLoc, 1> Aliases; ///< by which names, one in the other
  unsigned Depth = 0;                                  ///< in how many templates it is written, with its own
  bool Plain = true; ///< none has arguments that it need not have, or a directive in it

  explicit operator bool() const { return Depth; }
  /// Of the bracket that closes the innermost one's arguments, in a file; none in a macro.
  clang::SourceLocation angle(const clang::SourceManager &SM) const;
};

/// Where `std::vector<T>` is written in \p Written, the type of a declarator, or for an alias that is named there; it
/// may be what a pointer points to, or a function returns. None where its name is another.
WrittenVector vectorWrittenIn(clang::TypeLoc Written, const clang::SourceManager &SM,
                              const clang::LangOptions &Options);

/// True where the elements are written as handles of MPI, which are numbers with some libraries: they are no message's.
bool holdsHandles(const WrittenVector &Vector);

/// Of how many templates \p Type, a vector of numbers, or what it refers to, is made: 1, and more for a nest.
unsigned depthOf(clang::QualType Type);

/// The first argument of \p Vector as it is written: tokens of the file, or the name of a macro that has no parameters;
/// empty for others.
std::string writtenArgument(clang::TemplateSpecializationTypeLoc Vector, const clang::SourceManager &SM,
                            const clang::LangOptions &Options);

/// True for a name of a vector of numbers for which `std::vector<T>` is written, in a namespace: what is declared in a
/// class a template may find by its name alone.
bool isVectorAlias(const clang::TypedefNameDecl *D);

/// The name of such an alias, where \p Written is nothing more; or none.
clang::TypedefTypeLoc aliasWrittenIn(clang::TypeLoc Written);

} // namespace mpishm

#endif
