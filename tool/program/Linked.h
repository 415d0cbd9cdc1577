// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis of LLVM IR for each program of a database.

#ifndef MPISHM_TOOL_PROGRAM_LINKED_H
#define MPISHM_TOOL_PROGRAM_LINKED_H

#include "classes/ValueClasses.h"
#include "constraints/Constraints.h"
#include "facts/Facts.h"
#include "program/Decisions.h"
#include <vector>

namespace mpishm {

/// The classes of each program that the units of \p Facts, with the code \p Code in the same order, make up.
std::vector<ir::ValueClasses> findValueClasses(const std::vector<UnitFacts> &Facts, const std::vector<ir::Unit> &Code,
                                               const ProgramContext &Context);

} // namespace mpishm

#endif
