// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a build system compiles in the place of a program's sources: a folder in which every file that the program's
// units read stands under its absolute path, edited or as a link to the original.

#ifndef MPISHM_TOOL_OUTPUT_MIRROR_H
#define MPISHM_TOOL_OUTPUT_MIRROR_H

#include "edit/Edit.h"

namespace mpishm {

/// Brings the mirror \p Folder up to date: below it, each file of \p Units has its path. Those of \p Edited are edited;
/// sources of units are copies, so that they have a time of their own; where a file includes another by its absolute
/// path, that leads into the mirror; all others are links. What no unit reads any more is removed.
///
/// Only what is different is written, so that a build compiles no more than it must; a source whose headers were
/// written is made newer. `edited.txt` in Folder lists the originals that must not be compiled instead of their copies.
llvm::Error writeMirror(llvm::ArrayRef<EditedFile> Edited, llvm::ArrayRef<UnitSources> Units, llvm::StringRef Folder);

} // namespace mpishm

#endif
