// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads loops that stand directly before a send, in the function that sends, and pack its message.

#ifndef MPISHM_TOOL_PACKING_LOOPS_H
#define MPISHM_TOOL_PACKING_LOOPS_H

#include "packing/Sends.h"

namespace mpishm {

/// Whether Pair::Packs of \p Both, a `for`, has to do with what is sent in \p Sender: then \p Result is set, also when
/// it is refused.
bool readLoopsBefore(clang::ASTContext &Context, const Places &Where, const Pair &Both,
                     const clang::FunctionDecl *Sender, PackedSend &Result);

} // namespace mpishm

#endif
