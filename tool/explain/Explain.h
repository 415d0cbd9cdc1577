// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of docs/diagnostics, which the tool carries in it.

#ifndef MPISHM_TOOL_EXPLAIN_EXPLAIN_H
#define MPISHM_TOOL_EXPLAIN_EXPLAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mpishm {

/// One page, as it was when the tool was built.
struct Page {
  llvm::StringLiteral Id;   ///< "mpishm-synchronous-send"
  llvm::StringLiteral Text; ///< Markdown, from the first line of the file on
};

/// All pages, sorted by id.
llvm::ArrayRef<Page> allPages();

/// The page of diagnostic \p Id without its licence line; empty when there is none.
llvm::StringRef pageOf(llvm::StringRef Id);

/// Prints the page of the diagnostic that \p Name stands for: its id, also without "mpishm-" or in the brackets in
/// which messages show it. For another name, an error that says which id comes nearest.
llvm::Error explainDiagnostic(llvm::StringRef Name, llvm::raw_ostream &Out);

} // namespace mpishm

#endif
