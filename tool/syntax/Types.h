// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which types hold handles or integers, as declared and through templates that lost the typedef.

#ifndef MPISHM_TOOL_SYNTAX_TYPES_H
#define MPISHM_TOOL_SYNTAX_TYPES_H

#include "facts/Facts.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <optional>

namespace mpishm {

/// What values of a type are to us. Pointers, references, arrays and containers of the standard library are as what
/// they point to or contain.
struct ValueType {
  bool Tracked = false; ///< holds handles or integers, or is a pointer to void
  Domain Kind = Domain::Integer;
  bool Handle = false;    ///< surely MPI_Comm, MPI_Request or MPI_Message
  bool Ambiguous = false; ///< an integer that may be a handle whose typedef was lost on the way
  bool Indirect = false;  ///< a pointer, reference, array or container: copies of it name the same storage
  bool Container = false; ///< of the standard library
  bool Mixed = false;     ///< a container of handles and integers
  bool Raw = false;       ///< pointer to void: carries memory whose type is not known yet
  bool isInteger() const { return Tracked && !Handle && !Raw; }
};

/// Answers for one translation unit. Not thread-safe.
class Types {
public:
  explicit Types(const clang::ASTContext &Context);

  ValueType classify(clang::QualType Type);

  /// The program's record that \p Type is, points to, or contains in a container of the standard library, or null.
  const clang::RecordDecl *recordIn(clang::QualType Type);

  /// All fields of \p Record and of its bases and members that hold handles or integers, each once. With
  /// \p Reachable also those of records that its members point to.
  const std::vector<const clang::FieldDecl *> &fieldsOf(const clang::RecordDecl *Record, bool Reachable);

  /// Location of the declaration of MPI_Comm; invalid when the unit does not include mpi.h.
  clang::SourceLocation mpiLocation() const { return MpiLocation; }

  /// True when \p D is in namespace std or one of the library's own.
  static bool isStandard(const clang::Decl *D);

private:
  ValueType classifyRecord(clang::QualType Type);
  ValueType ofArguments(llvm::ArrayRef<clang::TemplateArgument> Arguments, bool Written);
  ValueType ofScalar(clang::QualType Type, bool LostTypedef) const;
  std::optional<Domain> pointerHandle(clang::QualType Type) const;
  struct FieldSearch;
  void gatherFields(const clang::RecordDecl *Record, FieldSearch &Search);

  const clang::ASTContext &Context;
  std::array<std::pair<clang::QualType, Domain>, 3> Handles; ///< canonical types; null without mpi.h
  clang::SourceLocation MpiLocation;
  llvm::DenseMap<std::pair<const clang::RecordDecl *, unsigned>, std::vector<const clang::FieldDecl *>> Fields;
  unsigned Depth = 0;
};

} // namespace mpishm

#endif
