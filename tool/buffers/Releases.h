// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls give back which memory. What the sources say is not all: an address may go from place to place as bytes,
// or leave the program and come back. LLVM IR shows where that ends.

#ifndef MPISHM_TOOL_BUFFERS_RELEASES_H
#define MPISHM_TOOL_BUFFERS_RELEASES_H

#include "buffers/PointsTo.h"
#include "classes/ValueClasses.h"
#include <map>
#include <vector>

namespace mpishm {

class ReleaseMap {
public:
  /// \p Facts and \p Pointers must outlive it. \p Values: what LLVM IR shows of each program, or null.
  ReleaseMap(const PointerFacts &Facts, const PointsTo &Pointers, const std::vector<ir::ValueClasses> *Values);

  /// The calls that may give back \p Memory.
  const std::vector<const MemoryCall *> &of(PointerNodeIndex Memory) const;

  /// How \p Memory may be given back by what the sources are not seen to have: a call, or code out of sight that gets
  /// the address. Or null.
  const ir::MemoryRelease *unseen(PointerNodeIndex Memory) const;

private:
  using CallsByLine = std::map<std::pair<std::string, unsigned>, std::vector<const MemoryCall *>>;

  static std::vector<const MemoryCall *> at(const CallsByLine &All, const Place &Where);
  void add(const PointsTo &Pointers, const MemoryCall &Made, const ir::MemoryRelease &R,
           const std::vector<const MemoryCall *> &By);

  const PointerFacts &Facts;
  std::map<PointerNodeIndex, std::vector<const MemoryCall *>> Calls;
  std::map<PointerNodeIndex, ir::MemoryRelease> Unseen;
};

} // namespace mpishm

#endif
