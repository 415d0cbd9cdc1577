// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which types hold handles or integers.

#ifndef MPISHM_TOOL_SYNTAX_TYPES_H
#define MPISHM_TOOL_SYNTAX_TYPES_H

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <array>
#include <optional>

namespace mpishm {

/// What values of a type are to us. Pointers, references, arrays and containers of the standard library are as what
/// they point to or contain.
struct ValueType {
  bool Tracked = false;  ///< holds handles or integers, or is a pointer to void
  bool Handle = false;   ///< surely MPI_Comm, MPI_Request or MPI_Message
  bool Request = false;  ///< MPI_Request
  bool Indirect = false; ///< a pointer, reference, array or container: copies of it name the same storage
  bool Raw = false;      ///< pointer to void: carries memory whose type is not known yet
};

/// Answers for one translation unit. Not thread-safe.
class Types {
public:
  explicit Types(const clang::ASTContext &Context);

  ValueType classify(clang::QualType Type);

  /// The program's record that \p Type is, points to, or contains in a container of the standard library, or null.
  const clang::RecordDecl *recordIn(clang::QualType Type);

  /// Whether fields of \p Record, of its bases or members, or of records that these point to hold handles or integers.
  bool hasValues(const clang::RecordDecl *Record);

  /// Location of the declaration of MPI_Comm; invalid when the unit does not include mpi.h.
  clang::SourceLocation mpiLocation() const { return MpiLocation; }

  /// True when \p D is in namespace std or one of the library's own.
  static bool isStandard(const clang::Decl *D);

private:
  enum class Handle : uint8_t { Communicator, Request, Message };

  static std::optional<Handle> namedHandle(const clang::TypedefNameDecl *Typedef);
  std::optional<Handle> pointerHandle(clang::QualType Type) const;
  ValueType classifyRecord(clang::QualType Type);
  ValueType ofArguments(llvm::ArrayRef<clang::TemplateArgument> Arguments);
  bool searchValues(const clang::RecordDecl *Record, llvm::SmallPtrSetImpl<const clang::RecordDecl *> &Seen);

  const clang::ASTContext &Context;
  std::array<std::pair<clang::QualType, Handle>, 3> Handles; ///< canonical types; null without mpi.h
  clang::SourceLocation MpiLocation;
  llvm::DenseMap<const clang::RecordDecl *, bool> HasValues;
  unsigned Depth = 0;
};

} // namespace mpishm

#endif
