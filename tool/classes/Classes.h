// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the constraints of a program to its message classes.

#ifndef MPISHM_TOOL_CLASSES_CLASSES_H
#define MPISHM_TOOL_CLASSES_CLASSES_H

#include "classes/ValueClasses.h"
#include "constraints/Constraints.h"
#include "facts/PackingFacts.h"
#include <functional>
#include <map>

namespace mpishm::ir {

struct ClassesOptions {
  bool IsWhole = true; ///< no source of the program is out of sight
  /// Functions out of sight that neither use nor keep the handles that they are given, by their qualified names; of
  /// those that store no communicator either, TrustedFully.
  std::set<std::string> TrustedCalls, TrustedFully;
  /// Of makers: names the statements that are executed all or none, in order, and that each stands among (Call::Run).
  std::map<CallName, std::string> Runs;
  /// Of these it is asked whether anybody sees what their buffers hold afterwards; with the main files of their units.
  std::vector<PackedOfUnit> Packed;
  /// If it is there: of classes with a call whose name stands where this says so, it is also told which ways handles
  /// take to where they escape.
  std::function<bool(const Place &Call)> Asked;
  /// Of work, and of what is kept at once. From half of either on, less is kept apart.
  uint64_t MostSteps = 20'000'000, MostTokens = 25'000'000;
};

/// The classes of the program that \p Units are linked into.
ValueClasses findClasses(const std::vector<const Unit *> &Units, const ClassesOptions &Options);

} // namespace mpishm::ir

#endif
