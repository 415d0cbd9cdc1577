// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the constraints of a program to its message classes.

#ifndef MPISHM_TOOL_SOLVE_CLASSES_H
#define MPISHM_TOOL_SOLVE_CLASSES_H

#include "constraints/Constraints.h"
#include "solve/ValueClasses.h"
#include <map>

namespace llvm {
class raw_ostream;
}

namespace mpishm::ir {

struct ClassesOptions {
  bool IsWhole = true; ///< no source of the program is out of sight
  std::set<std::string> TrustedCalls;
  /// Of makers: names the statements that are executed all or none, in order, and that each stands among (Call::Run).
  std::map<CallName, std::string> Runs;
};

/// The classes of the program that \p Units are linked into.
ValueClasses findClasses(const std::vector<const Unit *> &Units, const ClassesOptions &Options);

/// Prints \p Classes for people and tests.
void dump(const ValueClasses &Classes, llvm::raw_ostream &Out);

} // namespace mpishm::ir

#endif
