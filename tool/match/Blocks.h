// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the name of a call cannot be replaced, whatever the call matches.

#ifndef MPISHM_TOOL_MATCH_BLOCKS_H
#define MPISHM_TOOL_MATCH_BLOCKS_H

#include "program/Decisions.h"
#include "program/Program.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace mpishm {

class Blocks {
public:
  explicit Blocks(const Program &Whole);

  /// The reason why \p C cannot be replaced, if there is one. A call that is replaced already has none.
  std::optional<Finding> of(const ProgramCall &C) const;

  /// The reason why \p C, which sets the runtime up or will, cannot get the name that marks the program so, if there is
  /// one; whether or not it is replaced already.
  std::optional<Finding> ofMark(const ProgramCall &C, Marks Wanted) const;

  /// The uses of functions of \p Kind as values, one per function and part.
  std::vector<PartOf<Finding>> usesAsValue(FunctionKind Kind) const;

  /// What \p F, that a function is used as a value or defined, is said of: where the sources of \p In have that, which
  /// is elsewhere than a call that shows it. Else \p F itself.
  Finding elsewhere(const Finding &F, Part In) const;

private:
  std::optional<Finding> byItself(const ProgramCall &C) const;
  std::optional<Finding> byPlace(const ProgramCall &C) const;
  std::optional<Finding> byFunction(const std::string &Function, Part In) const;
  bool isOurMacro(const ProgramCall &C) const;
  std::optional<Finding> byMacro(const ProgramCall &C) const;

  const Program &P;
  std::map<Place, const ProgramCall *> BlockedNames; ///< in macros: an expansion that cannot be replaced
  /// Functions that are used as a value, defined, or redefined by the program.
  llvm::StringMap<std::map<Part, Finding>> ByFunction;
  std::vector<std::pair<FunctionKind, PartOf<Finding>>> Uses;
};

/// The reason why the name of \p C, which stands in the body of a macro, or is replaced by one, has to stay: one of its
/// uses, \p Here, cannot be replaced.
Finding sharedName(const ProgramCall &C, const Place &Here);

} // namespace mpishm

#endif
