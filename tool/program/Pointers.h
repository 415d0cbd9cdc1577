// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_PROGRAM_POINTERS_H
#define MPISHM_TOOL_PROGRAM_POINTERS_H

#include "facts/PointerFacts.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <tuple>

namespace mpishm {

/// Puts the pointer facts of units together: nodes by Id, calls by place.
class PointerMerger {
public:
  explicit PointerMerger(PointerFacts &All) : Into(All) {}
  void add(PointerFacts Unit);

private:
  void renumber(PointerNodeIndex &N) const {
    if (N != NoNode)
      N = Numbers[N];
  }
  void addNodes(std::vector<PointerNode> &Nodes);
  void addCall(MemoryCall C);

  PointerFacts &Into;
  llvm::StringMap<PointerNodeIndex> IndexOf;
  std::vector<PointerNodeIndex> Numbers; ///< of the unit's nodes in the program
  std::map<std::tuple<Place, Place, std::string>, size_t> CallAt;
};

} // namespace mpishm

#endif
