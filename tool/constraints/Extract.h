// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR to constraints.

#ifndef MPISHM_TOOL_CONSTRAINTS_EXTRACT_H
#define MPISHM_TOOL_CONSTRAINTS_EXTRACT_H

#include "constraints/Constraints.h"
#include "lower/Lower.h"

namespace llvm {
class raw_ostream;
}

namespace mpishm::ir {

/// The constraints of \p Lowered. Each instruction that there is, is either modelled or makes its result anything and
/// lets its operands escape.
Unit extract(const LoweredUnit &Lowered);

/// Prints \p U for people and tests, one line for each constraint.
void dump(const Unit &U, llvm::raw_ostream &Out);

} // namespace mpishm::ir

#endif
