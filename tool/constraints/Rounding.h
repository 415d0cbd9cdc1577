// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that are rounded, or marked in their lowest bits, as integers.

#ifndef MPISHM_TOOL_CONSTRAINTS_ROUNDING_H
#define MPISHM_TOOL_CONSTRAINTS_ROUNDING_H

#include "llvm/IR/Value.h"

namespace mpishm::ir {

/// The address that \p Number, an integer that is made an address again, is but for what sums with constants and masks
/// have done to its lowest bits: p in `(p + 7) & ~7`. Null where \p Number may have come about in another way.
const llvm::Value *addressRoundedIn(const llvm::Value &Number);

} // namespace mpishm::ir

#endif
