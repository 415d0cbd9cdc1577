// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports in files: the same data in three forms. docs/reports.md says what each has.

#ifndef MPISHM_TOOL_EXPLAIN_REPORTS_H
#define MPISHM_TOOL_EXPLAIN_REPORTS_H

#include "explain/ReportData.h"
#include "llvm/Support/raw_ostream.h"

namespace mpishm {

/// JSON of our own form.
void writeJson(const ReportData &Data, llvm::raw_ostream &Out);

/// SARIF 2.1.0 (OASIS standard): a result for each site left alone and each other finding.
void writeSarif(const ReportData &Data, llvm::raw_ostream &Out);

/// One HTML page that loads nothing.
void writeHtml(const ReportData &Data, llvm::raw_ostream &Out);

using ReportWriter = void (*)(const ReportData &, llvm::raw_ostream &);

/// The writer for a file of this name, by its suffix: .json, .sarif or .html; null for another.
ReportWriter writerFor(llvm::StringRef FileName);

/// "rewritten", "already-rewritten" or "left-alone".
llvm::StringRef nameOf(Outcome What);

/// "moved", "already-moved" or "private".
llvm::StringRef nameOf(Buffer::Decision Decided);

} // namespace mpishm

#endif
