// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts of all units as those of one program.

#ifndef MPISHM_TOOL_PROGRAM_PROGRAM_H
#define MPISHM_TOOL_PROGRAM_PROGRAM_H

#include "facts/Facts.h"
#include "mpi/Functions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <vector>

namespace mpishm {

/// Which program of the database something belongs to: one of those whose main is known, from 1, or Shared, which may
/// be linked into any. With one main, or none, everything is Shared.
using Part = uint32_t;
inline constexpr Part Shared = 0;

/// True when code of both may be in one program.
inline bool mayMeet(Part A, Part B) { return A == Shared || B == Shared || A == B; }

/// A fact, and the program whose units alone have it.
template <typename Fact> struct PartOf : Fact {
  Part In = Shared;
};

/// A call as all units together see it.
struct ProgramCall : PartOf<Call> {
  const FunctionInfo *Info = nullptr; ///< null for MPISHM_Attach
  std::string OtherView;              ///< what another unit sees here, when that is a different call

  /// Where its name is replaced, with what qualifies it.
  Place editPlace() const {
    Place At = Edit == Editability::MacroDefinition ? Token : Name;
    At.Offset -= Qualifier.size();
    At.Column -= Qualifier.size();
    return At;
  }
};

struct Program {
  std::vector<ProgramCall> Calls; ///< sorted by place and function
  std::vector<PartOf<FunctionUse>> Uses;
  std::vector<PartOf<FunctionDefinition>> Definitions;
  std::vector<PartOf<Reading>> Readings;
  std::vector<Mention> Unseen;    ///< skipped by each unit that reads the file; sorted, no place twice
  std::set<Place> ForeignNames;   ///< in macros that are read where mpi.h is not
  llvm::StringSet<> MainFiles;    ///< of the units
  std::vector<std::string> Mains; ///< files that define main, of each part from 1; empty when all is Shared
  llvm::StringSet<> Bodies, OwnFunctionTypes, ConvertedFunctionTypes; ///< see UnitFacts
  llvm::StringSet<> ForeignFunctionTypes; ///< "indirect:" types of pointers that may come from out of sight
  PointerFacts Pointers;
  /// Files that some unit reads which could not include mpishm.h: it does not include mpi.h, nor is it compiled as
  /// those that do.
  llvm::StringSet<> WithoutHeader;
  /// Some unit defines main, and no source that belongs to the program is out of sight: all callers are known.
  bool IsWhole = false;
  bool HasMain = false; ///< some unit defines main

  /// True when the function \p Id (of an argument or result) is one that we see, so that values can be followed into
  /// it. Calls through a pointer for which the whole program has no function lead nowhere, which is seen as well.
  bool isSeen(llvm::StringRef Id) const {
    return !ForeignFunctionTypes.contains(Id) &&
           (Bodies.contains(Id) || (IsWhole && OwnFunctionTypes.contains(Id) && !ConvertedFunctionTypes.contains(Id)));
  }
};

/// The part of each of \p Units, where there is more than one program; \p Mains gets the files that define main, of
/// each part from 1, or nothing when all is Shared.
std::vector<Part> partsOf(const std::vector<UnitFacts> &Units, std::vector<std::string> &Mains);

/// Puts the units together: calls by place. The order of \p Units does not matter. With \p Apart, code
/// of different programs is told apart: two units that define main are never linked, nor are those of their targets.
Program mergeUnits(std::vector<UnitFacts> Units, bool Apart);

} // namespace mpishm

#endif
