// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_COLLECT_UNIT_H
#define MPISHM_TOOL_COLLECT_UNIT_H

#include "constraints/Constraints.h"
#include "facts/Facts.h"
#include "lower/Lower.h"
#include "sources/Scan.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace mpishm {

struct Predefined;

/// What is known of one unit.
struct UnitKnowledge {
  UnitFacts Facts;
  NameSet Names;                ///< that it declares with external linkage, the system's apart
  std::optional<ir::Unit> Code; ///< where that was asked for
};

/// Parses one unit by the command \p Arguments, run in \p Directory, and fills \p Result in; its code too, when there
/// is \p Code to lower it. \p Own is what the program's own compiler makes of it (OwnCompiler.h), null when that could
/// not be asked; the program's files are read with \p Macros in place of Clang's, where given. False when it does not
/// compile: then \p Errors has Clang's messages and \p Result is of no use. May run in several threads at once.
bool collectUnit(const std::vector<std::string> &Arguments, const std::string &Directory, const std::string *Own,
                 const Predefined *Macros, Lowering *Code, UnitKnowledge &Result, llvm::raw_ostream &Errors);

} // namespace mpishm

#endif
