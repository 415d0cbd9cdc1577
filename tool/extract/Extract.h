// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR to constraints.

#ifndef MPISHM_TOOL_EXTRACT_EXTRACT_H
#define MPISHM_TOOL_EXTRACT_EXTRACT_H

#include "constraints/Constraints.h"
#include "lower/Lower.h"

namespace mpishm::ir {

/// The constraints of \p Lowered. Each instruction that there is, is either modelled or makes its result anything and
/// lets its operands escape.
Unit extract(const LoweredUnit &Lowered);

} // namespace mpishm::ir

#endif
