// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ids, severities and texts of the diagnostics, from program/Diagnostics.def.

#ifndef MPISHM_TOOL_EXPLAIN_DIAGNOSTICS_H
#define MPISHM_TOOL_EXPLAIN_DIAGNOSTICS_H

#include "program/Decisions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mpishm {

enum class Severity : uint8_t { Remark, Warning, Error };

/// What the table says of one diagnostic.
struct DiagnosticInfo {
  llvm::StringLiteral Id; ///< "mpishm-synchronous-send"
  Severity Level;
  llvm::StringLiteral Text; ///< with {0}, {1}, ...
};

/// The table's row of \p What.
const DiagnosticInfo &infoOf(Diagnostic What);

/// All rows, in the order of Diagnostic.
llvm::ArrayRef<DiagnosticInfo> allDiagnostics();

/// \p F's text with its arguments filled in.
std::string textOf(const Finding &F);

/// What \p F's Cause has to do with its place.
std::string causeTextOf(const Finding &F);

/// "remark", "warning" or "error".
llvm::StringRef nameOf(Severity Level);

} // namespace mpishm

#endif
