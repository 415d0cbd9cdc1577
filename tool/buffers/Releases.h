// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls give back which memory. What the sources say is not all: an address may go from place to place as bytes,
// or leave the program and come back. LLVM IR shows where that ends.

#ifndef MPISHM_TOOL_BUFFERS_RELEASES_H
#define MPISHM_TOOL_BUFFERS_RELEASES_H

#include "buffers/PointsTo.h"
#include "classes/ValueClasses.h"
#include "llvm/ADT/ArrayRef.h"
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
  /// Calls, or what is known of them, by the lines that they stand in.
  template <typename Called> class ByLine {
  public:
    void add(const MemoryCall &Call, const Called &What);
    std::vector<const Called *> at(const Place &Where) const;

  private:
    std::map<std::pair<std::string, unsigned>, std::vector<std::pair<unsigned, const Called *>>> All; ///< with columns
  };

  void indexWrappers(const PointerFacts &Facts, const PointsTo &Pointers);
  llvm::ArrayRef<const ResultCall *> callersOf(PointerNodeIndex Memory) const;
  std::vector<PointerNodeIndex> memoryOf(const MemoryCall &Made, const std::vector<Place> &MadeFor) const;
  void add(const PointsTo &Pointers, const std::vector<PointerNodeIndex> &Memory, const ir::MemoryRelease &R,
           const std::vector<const MemoryCall *> &By);

  ByLine<ResultCall> OfWrappers;                                         ///< the calls of these
  std::map<PointerNodeIndex, std::vector<const ResultCall *>> HandedOut; ///< by memory of a wrapper, its calls
  std::map<PointerNodeIndex, std::vector<const MemoryCall *>> Calls;
  std::map<PointerNodeIndex, ir::MemoryRelease> Unseen;
};

} // namespace mpishm

#endif
