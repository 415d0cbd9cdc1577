// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constraints of all units as those of one program: functions and variables by their names.

#ifndef MPISHM_TOOL_LINK_PROGRAM_H
#define MPISHM_TOOL_LINK_PROGRAM_H

#include "constraints/Constraints.h"
#include "facts/Place.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mpishm::ir {

/// One body of a function, and the unit that it is of.
struct Body {
  const Unit *Of = nullptr;
  const Function *Code = nullptr;
};

/// A function. Several units may have bodies of one name; equal ones count once. Where they differ, each may be the one
/// that is called.
struct LinkedFunction {
  std::string Name;
  bool IsInternal = false;
  std::vector<Body> Bodies;
  /// What all units say that declare it and do not define it, see Symbol.
  std::vector<uint32_t> Floating;
  bool IsNumeric = false;
  uint32_t Parameters = 0; ///< the least that a unit says
  std::vector<uint32_t> Objects;
  bool IsOwn = false; ///< a unit says so
};

struct LinkedVariable {
  std::string Name;
  bool IsInternal = false, IsDefined = false, IsConstant = false;
  int64_t Size = Unknown;
  const Symbol *Text = nullptr; ///< has the text, when it is a constant string
  bool IsExposed = false;       ///< has another name, by which it is not followed
};

/// What a unit's symbol is in the program.
struct Linked {
  bool IsFunction = false;
  uint32_t Index = 0; ///< into LinkedProgram::Functions or Variables
};

/// Refers to the units, which must outlive it.
struct LinkedProgram {
  std::vector<const Unit *> Units;
  std::vector<LinkedFunction> Functions;
  std::vector<LinkedVariable> Variables;
  std::vector<SiteMark> Sites;                           ///< each once, from whichever units it is seen
  std::map<const Unit *, std::vector<Linked>> Symbols;   ///< by the numbers of Unit::Symbols
  std::map<const Unit *, std::vector<uint32_t>> SitesOf; ///< by the numbers of Unit::Sites, into Sites
  std::map<std::string, MpiConstant, std::less<>> Constants;
  bool SameConstants = true; ///< all units have the same mpi.h, as far as that matters
  bool HasAssembly = false;
  std::string AssemblyOfMpi; ///< a function of MPI that assembly code names: it may define or call it
  std::string Replaced;      ///< a function of a library in whose place the linker may put one of the program
  std::set<std::string> ExposedRecords;                                           ///< of any unit
  std::map<std::string, std::vector<BaseClass>, std::less<>> Classes;             ///< see Unit
  std::map<std::pair<uint32_t, int64_t>, std::vector<const ClassTable *>> Tables; ///< by variable and point: see Unit
  std::map<std::string, SystemPart, std::less<>> SystemParts; ///< see Unit; of units that differ the larger, or 0

  /// The function of the external name \p Name, or null.
  const uint32_t *function(llvm::StringRef Name) const {
    auto It = External.find(Name);
    return It != External.end() && It->second.IsFunction ? &It->second.Index : nullptr;
  }

  /// What mpi.h has by the name \p Name.
  std::optional<MpiConstant> constant(llvm::StringRef Name) const {
    auto It = Constants.find(Name);
    return It == Constants.end() ? std::nullopt : std::optional(It->second);
  }

  llvm::StringMap<Linked> External;
};

/// What \p Where stands for, an index into the lines of \p U, without an offset: an empty name and 0 when it is not
/// known.
Place placeOf(const Unit &U, uint32_t Where);

/// Puts \p Units, which are linked into one program, together.
LinkedProgram link(const std::vector<const Unit *> &Units);

} // namespace mpishm::ir

#endif
