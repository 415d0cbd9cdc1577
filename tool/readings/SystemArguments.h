// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program gives to macros of the system, with Clang and with its own compiler.

#ifndef MPISHM_TOOL_READINGS_SYSTEMARGUMENTS_H
#define MPISHM_TOOL_READINGS_SYSTEMARGUMENTS_H

#include "readings/Readings.h"

namespace mpishm {

/// Whether what the program's own text gives to a macro of the system is in \p Clangs and in \p Others, which are what
/// the compilers read of it, one argument after the other, and nothing else of the program's: where it is another, as
/// by a condition that asks for the compiler, that is no matter of the system. The macro, or what is there with the
/// other compiler, may be a function.
bool haveSameArguments(llvm::ArrayRef<ReadToken> Clangs, llvm::ArrayRef<ReadToken> Others, const Places &Where);

} // namespace mpishm

#endif
