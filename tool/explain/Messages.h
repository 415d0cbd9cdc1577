// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told on the terminal: every site left alone, why, and a summary.

#ifndef MPISHM_TOOL_EXPLAIN_MESSAGES_H
#define MPISHM_TOOL_EXPLAIN_MESSAGES_H

#include "explain/ReportData.h"
#include "llvm/Support/raw_ostream.h"

namespace mpishm {

/// Prints every finding as Clang would, each with notes for its cause and for the sites left alone, or guarded, because
/// of it; only those that are errors when \p ErrorsOnly. Coloured where \p Out is a terminal that has colours.
void printFindings(const ReportData &Data, bool ErrorsOnly, llvm::raw_ostream &Out);

/// Prints findings that have no place.
void printRemarks(llvm::ArrayRef<Finding> Remarks, llvm::raw_ostream &Out);

/// One line: "rewrote N of M sites in K files; left L: 3 mpishm-request-escapes, ...", the commonest reason first; and
/// one on the buffers, when there are any; and one on what --guarded would add. With \p Would it says what would be
/// done.
void printSummary(const ReportData &Data, bool Would, llvm::raw_ostream &Out);

} // namespace mpishm

#endif
