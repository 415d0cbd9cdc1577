// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_EDIT_WRITE_H
#define MPISHM_TOOL_EDIT_WRITE_H

#include "edit/Edit.h"

namespace mpishm {

/// Replaces each file by its After, all of them or none: everything is checked and written beside the files first, and
/// what is replaced already is put back when a later one fails. Modes are kept.
llvm::Error writeInPlace(llvm::ArrayRef<EditedFile> Files);

/// Writes each file's After to \p Folder, at its path relative to \p Root, which must contain them all. Folders are
/// made as needed.
llvm::Error writeBelow(llvm::ArrayRef<EditedFile> Files, llvm::StringRef Folder, llvm::StringRef Root);

} // namespace mpishm

#endif
