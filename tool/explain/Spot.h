// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is to tell of one line of the program: --explain FILE:LINE.

#ifndef MPISHM_TOOL_EXPLAIN_SPOT_H
#define MPISHM_TOOL_EXPLAIN_SPOT_H

#include "explain/ReportData.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mpishm {

/// A line that the user names.
struct Spot {
  std::string File; ///< as it is written: a path, or the end of one
  uint32_t Line = 0;
};

/// \p Text as FILE:LINE, or FILE:LINE:COLUMN as messages have it; nothing when it is neither.
std::optional<Spot> parseSpot(llvm::StringRef Text);

/// Whether the user may mean the file of real path \p Path, called \p Name in messages, by these or their last parts.
bool isInFile(const Spot &Where, llvm::StringRef Path, llvm::StringRef Name);

/// Prints of each call, and each message buffer, at \p Where what becomes of it; of a site with all reasons of its
/// class, and with all sites that it may match. An error where none is, which names the nearest.
llvm::Error explainSpot(const ReportData &Data, const Spot &Where, llvm::raw_ostream &Out);

} // namespace mpishm

#endif
