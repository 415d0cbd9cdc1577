// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a function of the program makes longer than it is asked for, to hand out an aligned address in it.

#ifndef MPISHM_TOOL_EXTRACT_ALIGNMENT_H
#define MPISHM_TOOL_EXTRACT_ALIGNMENT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include <vector>

namespace mpishm::ir {

struct AlignedAddress {
  const llvm::CallBase *Made = nullptr;                      ///< the call of malloc's like
  llvm::SmallVector<const llvm::Instruction *, 2> Addresses; ///< one and the same, computed in as many places
  /// What else it was computed of. If one of these holds bits of another address, it may be in that one's object, too.
  llvm::SmallVector<const llvm::Value *, 4> By = {};
};

/// The addresses in memory that \p Body makes which it computes of that memory's own address as a number:
/// `(p + 63) & ~63`, `p + (64 - p % 64)`. Of each such memory there is one: it is computed once at most each time that
/// the call is made. Of memory whose length is known there is none, since offsets would not count from its beginning.
std::vector<AlignedAddress> alignedIn(const llvm::Function &Body);

} // namespace mpishm::ir

#endif
