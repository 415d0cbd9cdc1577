// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing files, all of them or none.

#ifndef MPISHM_TOOL_OUTPUT_WRITE_H
#define MPISHM_TOOL_OUTPUT_WRITE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace mpishm {

/// A file that is to be written.
struct OutputFile {
  std::string Path; ///< a file that exists is replaced: give its real path, so that links to it stay
  std::string Text;
  /// What must be in the file for Text to be right, for a source that is edited. Nothing: it may be anything, or not
  /// be there.
  std::optional<std::string> Before;
};

/// Writes all \p Files or none: everything is checked and written beside the files first, then moved to its place in
/// their order; what has taken its place already is put back when a later file fails, which needs no space on the disk.
/// A file that is replaced keeps its mode and owner; one with several names (hard links) is refused. While files are
/// moved, signals that end the program wait.
llvm::Error writeAll(llvm::ArrayRef<OutputFile> Files);

} // namespace mpishm

#endif
