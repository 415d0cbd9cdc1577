// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told on the terminal: every site left alone, why, and a summary.

#ifndef MPISHM_TOOL_EXPLAIN_MESSAGES_H
#define MPISHM_TOOL_EXPLAIN_MESSAGES_H

#include "explain/ReportData.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace mpishm {

/// How much of what was found is printed.
enum class Shown : uint8_t {
  Errors, ///< nothing else
  First,  ///< of remarks for one reason the first places, of each place the first sites; and how many more there are
  All     ///< by place
};

/// Prints findings as Clang would, those of one reason together, each with notes for its cause and for the sites left
/// alone, or guarded, because of it. The reason that leaves the most sites comes last, next to the summary, and of its
/// places that with the most sites first. Coloured where \p Out is a terminal that has colours.
void printFindings(const ReportData &Data, Shown Which, llvm::raw_ostream &Out);

/// Prints one message, as of the tool where \p Where is none; \p Quote: with the source line and what stands there
/// underlined.
void printMessage(const std::optional<ReportedPlace> &Where, bool Quote, llvm::SourceMgr::DiagKind Kind,
                  const llvm::Twine &Text, llvm::raw_ostream &Out);

/// Prints findings that have no place.
void printRemarks(llvm::ArrayRef<Finding> Remarks, llvm::raw_ostream &Out);

/// One line: "rewrote N of M sites in K files; left L: 3 mpishm-request-escapes, ...", the commonest reason first; and
/// one on the buffers, when there are any; and one on what --guarded would add. With \p Would it says what would be
/// done.
void printSummary(const ReportData &Data, bool Would, llvm::raw_ostream &Out);

} // namespace mpishm

#endif
