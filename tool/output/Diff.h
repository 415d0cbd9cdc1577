// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_OUTPUT_DIFF_H
#define MPISHM_TOOL_OUTPUT_DIFF_H

#include "edit/Edit.h"
#include "llvm/Support/raw_ostream.h"

namespace mpishm {

/// Prints \p File's changes as a unified diff with three lines of context, under the names a/\p Name and b/\p Name, in
/// the form that `patch -p1` and `git apply` accept.
void printDiff(const EditedFile &File, llvm::StringRef Name, llvm::raw_ostream &Out);

} // namespace mpishm

#endif
