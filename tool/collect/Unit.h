// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_COLLECT_UNIT_H
#define MPISHM_TOOL_COLLECT_UNIT_H

#include "facts/Facts.h"
#include "sources/Scan.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace mpishm {

/// Parses one unit by the command \p Arguments, run in \p Directory, and fills \p Facts. False when it does not
/// compile: then \p Errors has Clang's messages and \p Facts is of no use. Adds to \p Names those with external linkage
/// that the unit declares, the system's apart. May run in several threads at once.
bool collectUnit(const std::vector<std::string> &Arguments, const std::string &Directory, UnitFacts &Facts,
                 NameSet &Names, llvm::raw_ostream &Errors);

} // namespace mpishm

#endif
