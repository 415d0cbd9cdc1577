// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis of LLVM IR of all units that are read.

#ifndef MPISHM_TOOL_DRIVER_VALUES_H
#define MPISHM_TOOL_DRIVER_VALUES_H

#include "facts/Facts.h"
#include "lower/Lower.h"
#include "match/Decisions.h"
#include "solve/Classes.h"
#include "llvm/Support/Error.h"
#include <mutex>

namespace mpishm {

/// Gathers the constraints of units, and finds the message classes of the programs that they make up.
class ValueAnalysis {
public:
  /// Lowers one unit. Thread-safe. An error when it does not compile.
  llvm::Error add(const UnitFacts &Facts, const std::vector<std::string> &Arguments, const std::string &Directory);

  /// The classes of each program, after the last unit. \p Units are the facts of the same ones.
  std::vector<ir::ValueClasses> find(const std::vector<UnitFacts> &Units, const ProgramContext &Context);

private:
  struct Entry {
    std::string MainFile, Target, Command;
    ir::Unit Unit;
  };
  Lowering Units;
  std::mutex Mutex;
  std::vector<Entry> Entries;
};

} // namespace mpishm

#endif
