// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records that only one source defines, so that other code holds no more than pointers to them: what is in them, it can
// neither read nor write. Known by names, for a record that another unit's header defines is nowhere hidden.

#ifndef MPISHM_TOOL_LOWER_HIDDEN_H
#define MPISHM_TOOL_LOWER_HIDDEN_H

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace mpishm {

struct HiddenRecords {
  /// Of functions by their symbols: the names of the records that each parameter, and behind them the result, points
  /// to; empty for those of other types. Only functions each of whose parameters is one in LLVM IR.
  std::map<std::string, std::vector<std::string>> Signatures;
  /// Records that are in sight elsewhere, or whose addresses come about in other ways than as a parameter, as the
  /// result of a function in sight, or from an allocation: by a cast, from a member, a variable, or through another
  /// pointer.
  std::set<std::string> Exposed;
};

/// Those of a unit that has been parsed to its end.
HiddenRecords findHidden(clang::ASTContext &Context);

} // namespace mpishm

#endif
