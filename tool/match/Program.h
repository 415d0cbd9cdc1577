// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts of all units as those of one program.

#ifndef MPISHM_TOOL_MATCH_PROGRAM_H
#define MPISHM_TOOL_MATCH_PROGRAM_H

#include "collect/Facts.h"
#include "mpi/Functions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <vector>

namespace mpishm {

/// A call as all units together see it. Operands are those of all views.
struct ProgramCall : Call {
  const FunctionInfo *Info = nullptr; ///< null for MPISHM_Attach
  std::string OtherView;              ///< what another unit sees here, when that is a different call

  bool isRewritten() const { return llvm::StringRef(Spelled).starts_with("MPISHM_"); }
};

/// Facts whose object indices (in flows, arguments, escapes and calls' operands) are into Objects.
struct Program {
  std::vector<Object> Objects;
  std::vector<Flow> Flows;
  std::vector<Argument> Arguments;
  std::vector<Escape> Escapes;
  std::vector<ProgramCall> Calls; ///< sorted by place and function
  std::vector<FunctionUse> Uses;
  std::vector<FunctionDefinition> Definitions;
  std::vector<Place> MpiIncludes; ///< sorted, no place twice
  std::vector<Mention> Unseen;    ///< skipped by each unit that reads the file; sorted, no place twice
  std::set<Place> ForeignNames;   ///< in macros that are read where mpi.h is not
  llvm::StringSet<> MainFiles;    ///< of the units
  llvm::StringSet<> Bodies;
  /// Some unit defines main, and no source that belongs to the program is out of sight: all callers are known.
  bool IsWhole = false;

  /// True when the function \p Id (of an argument or result) is one that we see, so that values can be followed into
  /// it.
  bool isSeen(llvm::StringRef Id) const { return Bodies.contains(Id); }
};

/// The Id of the function that \p O is a parameter of (or a field of a record that is a parameter), else empty.
llvm::StringRef functionOfParameter(const Object &O);

/// The Id of the function that \p O is the result of, else empty.
llvm::StringRef functionOfResult(const Object &O);

/// True when the variable, field or function \p Id can be used by its name from other translation units. (The Ids of
/// what has internal or no linkage begin with their file's name.)
bool isExternal(llvm::StringRef Id);

/// Puts the units together: objects by Id, calls by place. The order of \p Units does not matter.
Program mergeUnits(std::vector<UnitFacts> Units);

} // namespace mpishm

#endif
