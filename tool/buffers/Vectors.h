// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_BUFFERS_VECTORS_H
#define MPISHM_TOOL_BUFFERS_VECTORS_H

#include "facts/PointerFacts.h"
#include <map>

namespace mpishm {

/// Vectors that must have one type.
struct VectorGroup {
  std::vector<const VectorDeclaration *> Members;
  const VectorMisuse *Misuse = nullptr; ///< the first by place
  std::string MisusedName;              ///< of which member, in quotes
  bool Already = true;                  ///< all have the runtime's allocator
};

/// The group of each vector of \p Facts, which must outlive it, by its elements.
class VectorGroups {
public:
  explicit VectorGroups(const PointerFacts &Facts);
  /// Null for the elements of other containers.
  const VectorGroup *of(PointerNodeIndex Elements) const;

private:
  void findUndefined(const PointerFacts &Facts);

  std::vector<VectorMisuse> Undefined; ///< parameters and results; not changed once a group names one
  std::vector<VectorGroup> Groups;
  std::map<PointerNodeIndex, unsigned> GroupOf;
};

} // namespace mpishm

#endif
