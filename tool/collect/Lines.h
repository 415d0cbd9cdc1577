// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program does more with the number of a line than to tell it. An edit must not move such a line.

#ifndef MPISHM_TOOL_COLLECT_LINES_H
#define MPISHM_TOOL_COLLECT_LINES_H

#include "syntax/Places.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace mpishm {

/// The places of the program at which `__LINE__` counts, sorted: not where it is handed to a function that prints
/// or an output stream, or stands beside `__FILE__`, as in messages, nor in text.
std::vector<Place> findLinesThatCount(clang::ASTContext &Context, const Places &Where);

/// Where tokens of numbers and texts stand, in files and macros, that are only told in this sense.
llvm::DenseSet<clang::SourceLocation> findToldLiterals(clang::ASTContext &Context, const Places &Where);

} // namespace mpishm

#endif
