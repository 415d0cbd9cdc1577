// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What memory the program has for itself: its variables, and what it allocates. What else may see it is known of each.

#ifndef MPISHM_TOOL_CLASSES_PROGRAMMEMORY_H
#define MPISHM_TOOL_CLASSES_PROGRAMMEMORY_H

#include "models/Analysis.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mpishm::ir {

/// Objects of Analysis, by their numbers.
using Objects = llvm::DenseSet<uint32_t>;

class ProgramMemory {
public:
  /// Of what \p Values has followed.
  explicit ProgramMemory(const Analysis &Values);

  /// Why code out of sight, or another process, may see \p Object without being given its address. Empty: it may not.
  std::string whyNotPrivate(uint32_t Object) const;
  /// Why \p Node, as an address, may be that of another object than those that it is known to be of; empty: it may not.
  /// A number or a handle that was written beside, as far as is known, is none, unless addresses have become numbers.
  std::string whyUnknown(uint32_t Node) const;
  /// The instance of a function that \p Object is a variable of.
  std::optional<uint32_t> ownerOf(uint32_t Object) const;
  /// Calls \p What with each object whose address \p Node may be.
  template <typename Do> void eachObject(uint32_t Node, Do What) const {
    if (Node == NoNode)
      return;
    for (uint32_t T : G.tokensOf(Node))
      if (const Token &Each = G.token(T); Each.Is == Token::Kind::Memory)
        What(Each.Id);
  }

private:
  const Analysis &A;
  const Graph &G;
  const Memory &Heap;
  Objects Own;                                ///< nobody else knows them by themselves
  llvm::DenseMap<uint32_t, uint32_t> LocalOf; ///< object of a variable to its instance
};

/// " in line 7", that \p Where stands for in \p Of; empty when it is not known.
std::string lineOf(const Body &Of, uint32_t Where);

} // namespace mpishm::ir

#endif
