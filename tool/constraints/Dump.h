// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints as text.

#ifndef MPISHM_TOOL_CONSTRAINTS_DUMP_H
#define MPISHM_TOOL_CONSTRAINTS_DUMP_H

#include "constraints/Constraints.h"

namespace llvm {
class raw_ostream;
}

namespace mpishm::ir {

/// Prints \p U for people and tests, one line for each constraint.
void dump(const Unit &U, llvm::raw_ostream &Out);

} // namespace mpishm::ir

#endif
