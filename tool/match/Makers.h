// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls that make communicators can tell the runtime of them.

#ifndef MPISHM_TOOL_MATCH_MAKERS_H
#define MPISHM_TOOL_MATCH_MAKERS_H

#include "match/Blocks.h"
#include "match/IrClasses.h"
#include "llvm/ADT/IntEqClasses.h"
#include <set>

namespace mpishm {

/// Telling the runtime is collective, so ranks must agree on it. Calls of one maker function whose parents may be the
/// same communicator may be one collective operation, called from different places by different ranks: they are a
/// group, which is renamed as a whole or not at all.
class MakerGroups {
public:
  MakerGroups(const Program &P, const Blocks &Blocked, const IrClasses &Ir);

  /// Why the communicator that call \p Maker (into Program::Calls) makes cannot be registered, if so.
  std::optional<Finding> whyNotRegistered(unsigned Maker) const;

  /// The calls that are to be renamed because their group has one of \p Makers and can be registered.
  std::set<unsigned> wanted(const std::set<unsigned> &Makers) const;

private:
  void joinByFunction();
  void joinByMacro();
  void findObstacles(const Blocks &Blocked, llvm::ArrayRef<IrClasses::MakerGroup> Found);

  const Program &P;
  std::map<unsigned, unsigned> NumberOf; ///< call index to its number in Calls
  std::vector<unsigned> Calls;
  llvm::IntEqClasses Groups;
  std::vector<std::optional<Finding>> Why; ///< per group
  std::vector<std::vector<unsigned>> Members;
};

} // namespace mpishm

#endif
