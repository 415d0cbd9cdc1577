// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taking the edits out of a file again, whatever else was done to it since. Needs neither a compilation database nor
// the decisions that led to the edits.

#ifndef MPISHM_TOOL_EDIT_UNDO_H
#define MPISHM_TOOL_EDIT_UNDO_H

#include "edit/Edit.h"
#include "llvm/ADT/StringMap.h"

namespace mpishm {

/// What each name of the runtime stands for: "MPI_Isend" for "MPISHM_Isend", "free" for "MPISHM_Free".
using OriginalNames = llvm::StringMap<std::string>;

/// Reads that from the lines `#define MPISHM_X Y` of the runtime's header.
OriginalNames originalNames(llvm::StringRef RuntimeHeader);

/// What was, or was not, taken back in one file.
struct UndoResult {
  unsigned Names = 0, Includes = 0;
  /// A name of the runtime that stands for nothing else. It stays, and with it the file's includes of mpishm.h.
  struct Left {
    unsigned Line = 0; ///< from 1
    std::string Name;
  };
  std::vector<Left> Leftovers;
};

/// Turns the runtime's names in File.Before, outside of comments and strings, into those they stand for, and takes the
/// includes of mpishm.h out, with the conditionals that were put around them. Fills the rest of \p File.
llvm::Expected<UndoResult> undoFile(EditedFile &File, const OriginalNames &Names);

} // namespace mpishm

#endif
