// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines around a call that a macro prints, between which its name can be defined as another.

#ifndef MPISHM_TOOL_SITES_PRINTEDLINES_H
#define MPISHM_TOOL_SITES_PRINTEDLINES_H

#include "facts/Facts.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class LangOptions;
class SourceManager;
} // namespace clang

namespace mpishm {

/// The lines of the outermost macro's use that the name at \p Loc is an argument in, if a directive can stand before
/// and behind them and \p Name is no other word in their text. Macros that are used there are not looked into.
std::optional<LineRange> linesAround(clang::SourceLocation Loc, llvm::StringRef Name, const clang::SourceManager &SM,
                                     const clang::LangOptions &Language);

} // namespace mpishm

#endif
