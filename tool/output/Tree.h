// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of the whole program with the edits done.

#ifndef MPISHM_TOOL_OUTPUT_TREE_H
#define MPISHM_TOOL_OUTPUT_TREE_H

#include "edit/Edit.h"

namespace mpishm {

struct TreeOptions {
  std::string Root;   ///< real path of the folder that is copied; holds all edited files
  std::string Folder; ///< the copy; made when it is not there
  /// Real paths that are left out (the compilation database, which is about the original's folder).
  std::vector<std::string> Without;
  /// Real paths of what is compiled, headers too: an earlier copy that holds any of it is part of the program.
  std::vector<std::string> Read;
  uint64_t MostFiles = 200000;             ///< a root with more is refused: it is hardly a program
  uint64_t MostBytes = uint64_t(4) << 30;  ///< so is one that is larger
  uint64_t LargeFile = uint64_t(64) << 20; ///< files larger than this are left out: they are no sources
};

/// True for the name of a folder that a version control system keeps for itself.
bool isVersionControl(llvm::StringRef Name);

/// Makes Folder a copy of what is below Root, with \p Files edited. Left out: version control's folders, build folders
/// of CMake and Meson, object files, Folder itself, and earlier copies, which have a file `.mpishm-rewrite`. Symbolic
/// links stay links; those that lead out of Root lead to the same file as before. Modes are kept; times as well, but
/// for files that are edited or replaced.
///
/// A folder that is new appears complete or not at all. In one that exists, files of other contents are replaced, but
/// for libraries, and others stay as they are, so that a build in it can go on; all new contents are on the disk before
/// the first is. Nothing in Root is ever changed: a Folder that is Root, holds it or holds one of \p Files is refused.
///
/// Returns the paths of large files that were left out.
llvm::Expected<std::vector<std::string>> writeTree(llvm::ArrayRef<EditedFile> Files, const TreeOptions &Options);

} // namespace mpishm

#endif
