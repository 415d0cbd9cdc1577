// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the system's libraries by name: the rows of Library.def and the like; and names as users write them.

#ifndef MPISHM_TOOL_LIBRARIES_NAMES_H
#define MPISHM_TOOL_LIBRARIES_NAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpishm::ir {

/// What a function of a library does, see Library.def.
struct LibraryRow {
  llvm::StringLiteral Name, Effects;
  bool IsExact = false;  ///< for calls with just these arguments: another library may have a function of that name
  bool IsLinear = false; ///< of BLAS or LAPACK, which call one another by these names, whoever defines them
};

/// All rows, for those who compare them with the libraries' headers.
llvm::ArrayRef<LibraryRow> libraryRows();

/// Whether \p Name is one that \p Pattern stands for: '?' is any character, a '*' any text.
bool matches(llvm::StringRef Name, llvm::StringRef Pattern);

/// The row of \p Name, or null.
const LibraryRow *findLibraryRow(llvm::StringRef Name);

/// The name by which the C library's manual knows \p Name: headers put others in its place, which check lengths, take
/// 64-bit offsets or follow a later standard, and take the same arguments, and further ones behind.
llvm::StringRef canonicalName(llvm::StringRef Name);

/// The function or variable that the linker calls \p Name as a user writes it: "space::Record::method", of a function
/// without its parameters and template arguments.
std::string plainName(llvm::StringRef Name);

/// \p Text, a sentence for users, with such names in place of the linker's in it.
std::string withPlainNames(llvm::StringRef Text);

} // namespace mpishm::ir

#endif
