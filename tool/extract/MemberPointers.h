// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls by pointers to members, which Clang makes of integers.

#ifndef MPISHM_TOOL_EXTRACT_MEMBERPOINTERS_H
#define MPISHM_TOOL_EXTRACT_MEMBERPOINTERS_H

#include "llvm/IR/Instruction.h"

namespace mpishm::ir {

/// The integer in a pointer to a member function, if \p I finds the place of a virtual one by it, in the table of the
/// object; null otherwise. One that is not virtual is even, and does not get there.
const llvm::Value *virtualMemberFunction(const llvm::Instruction &I);

/// Whether \p I makes the integer in a pointer to a member function (Itanium C++ ABI, 2.3) the address to be called,
/// for nothing else.
bool isMemberFunctionAddress(const llvm::Instruction &I);

} // namespace mpishm::ir

#endif
