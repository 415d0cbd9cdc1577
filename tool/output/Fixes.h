// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_OUTPUT_FIXES_H
#define MPISHM_TOOL_OUTPUT_FIXES_H

#include "edit/Edit.h"

namespace mpishm {

/// The edits of \p Files in the YAML that clang-apply-replacements takes, with real paths. \p Source: the file that it
/// names as the reason.
std::string fixesOf(llvm::ArrayRef<EditedFile> Files, llvm::StringRef Source);

} // namespace mpishm

#endif
