// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that are moved, rounded, or marked in their lowest bits, as integers.

#ifndef MPISHM_TOOL_EXTRACT_ROUNDING_H
#define MPISHM_TOOL_EXTRACT_ROUNDING_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Value.h"

namespace mpishm::ir {

struct RoundedAddress {
  const llvm::Value *Address = nullptr; ///< null: the integer may have come about in another way
  /// What else it was made of and is known only when the program runs. If one of them holds bits of another address, it
  /// may be in that one's object, too.
  llvm::SmallVector<const llvm::Value *, 4> By;
};

/// The address that \p Number, an integer that is made an address again, is but for what sums and masks have done to
/// it: p in `(p + 7) & ~7`, in `(p + a) & ~a` and in `p + n`.
RoundedAddress addressRoundedIn(const llvm::Value &Number);

} // namespace mpishm::ir

#endif
