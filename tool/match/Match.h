// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_MATCH_MATCH_H
#define MPISHM_TOOL_MATCH_MATCH_H

#include "program/Decisions.h"

namespace mpishm {

/// Decides for a whole program. Deterministic: the order of \p Units does not matter.
Decisions matchProgram(std::vector<UnitFacts> Units, const ProgramContext &Context = {});

} // namespace mpishm

#endif
