// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits in memory: decisions in, new file contents out. Nothing here writes.

#ifndef MPISHM_TOOL_EDIT_EDIT_H
#define MPISHM_TOOL_EDIT_EDIT_H

#include "edit/Includes.h"
#include "program/Decisions.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/Support/Error.h"

namespace mpishm {

/// One file before and after. Bytes that are not edited are the same, whatever their encoding.
struct EditedFile {
  std::string Path; ///< real path
  std::string Before, After;
  clang::tooling::Replacements Changes; ///< from Before to After
};

/// Does all renames of \p D in memory, and has each file that gets one include <mpishm.h>, where \p Seen lets it.
/// Files come sorted by path.
/// Fails when a file cannot be read, or does not say what it said when the facts were collected.
llvm::Expected<std::vector<EditedFile>> editFiles(const Decisions &D, const MpiSight &Seen);

/// Does \p Renames, all of them in \p File, whose contents are \p File.Before. \p Hosted: what includes files with
/// other renames and must see mpishm.h for them.
llvm::Error editFile(EditedFile &File, const std::vector<Rename> &Renames, Sights &Look,
                     const std::vector<NewName> &Hosted = {});

} // namespace mpishm

#endif
