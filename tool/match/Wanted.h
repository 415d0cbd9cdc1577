// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user asks to leave alone (--exchanges-only, --collectives, --onesided).

#ifndef MPISHM_TOOL_MATCH_WANTED_H
#define MPISHM_TOOL_MATCH_WANTED_H

#include "program/Decisions.h"
#include "program/Program.h"

namespace mpishm {

/// Why \p C, a send, receive, probe, collective or call on windows, is no reason to rewrite its class; nothing when it
/// is one.
std::optional<Finding> whyUnwanted(const ProgramCall &C, const ProgramContext &Context);

} // namespace mpishm

#endif
