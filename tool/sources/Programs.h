// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs that are asked for what only they know.

#ifndef MPISHM_TOOL_SOURCES_PROGRAMS_H
#define MPISHM_TOOL_SOURCES_PROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mpishm {

/// Runs \p Program, looked up in PATH, and gives what it prints. An error when it is not found or fails. Thread-safe.
llvm::Expected<std::string> runProgram(llvm::StringRef Program, llvm::ArrayRef<llvm::StringRef> Arguments);

} // namespace mpishm

#endif
