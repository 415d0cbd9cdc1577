// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the edits and the reports go.

#ifndef MPISHM_TOOL_DRIVER_DELIVER_H
#define MPISHM_TOOL_DRIVER_DELIVER_H

#include "collect/Collect.h"
#include "driver/Options.h"
#include "driver/Sources.h"
#include "edit/Edit.h"
#include "explain/ReportData.h"
#include "llvm/Support/Error.h"

namespace mpishm {

/// The diffs of \p Files, each with its file's path relative to the current folder where all files are below it, else
/// relative to the deepest folder that holds them and \p Program.
class Diffs {
public:
  Diffs(const std::string &Program, llvm::ArrayRef<EditedFile> Files);
  std::string of(const EditedFile &File) const;

  /// Prints all on standard output, and on the error stream what the paths are relative to when that is not the current
  /// folder and \p Quiet is not set. An error when they cannot be printed.
  llvm::Error print(bool Quiet) const;

private:
  llvm::ArrayRef<EditedFile> Files;
  std::string Root;
};

/// Writes what \p O asks for: the edits, the reports on \p Data, the fixes. All in one go, but for a copy or a mirror
/// of the program, which comes first. \p Units are all units of the program.
llvm::Error deliver(const Options &O, const SourceSet &Sources, llvm::ArrayRef<UnitSources> Units,
                    llvm::ArrayRef<EditedFile> Files, const ReportData &Data);

/// An error where the folder that is to be copied does not hold all that is known of the program before it is read.
llvm::Error checkRoot(const Options &O, const SourceSet &Sources);

/// The real path of the current folder.
std::string currentFolder();

} // namespace mpishm

#endif
