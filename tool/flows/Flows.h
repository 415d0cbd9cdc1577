// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By which way a handle comes to where code out of sight gets it, from line to line of the program: what Clang's static
// analyzer calls a path, and SARIF a code flow. It is found in the graph that has been solved, backwards and
// breadth-first, so that it is one of the shortest.

#ifndef MPISHM_TOOL_FLOWS_FLOWS_H
#define MPISHM_TOOL_FLOWS_FLOWS_H

#include "flows/Flow.h"
#include "flows/Places.h"
#include "solve/Solver.h"
#include <map>

namespace mpishm::ir {

/// Of a solver that has run, and kept its trail. It must outlive this.
class FlowFinder {
public:
  explicit FlowFinder(const Solver &Of);

  /// How the handle \p T comes to where it escapes for the reasons \p Chain, as in EscapeReason. Empty when that is not
  /// known.
  Flow ofHandle(const Token &T, llvm::ArrayRef<uint32_t> Chain) const;
  /// How what code out of sight has comes to \p Node, which may be anything.
  Flow ofAnything(uint32_t Node) const;
  /// How an address that is made of a number comes to where the program writes at it.
  Flow ofWriting() const;

private:
  using Nodes = std::vector<uint32_t>;
  /// What a way is of: a handle, an object by its address, or anything.
  struct Subject {
    Token::Kind Is = Token::Kind::Anything;
    uint32_t Id = 0;
    bool is(const Token &T) const { return T.Is == Is && T.Id == Id; }
  };

  Nodes waysInto(uint32_t Node, const Subject &What) const;
  Nodes shortest(const Nodes &Ends, const Subject &What, uint32_t Without = NoNode) const;
  Nodes endsFor(uint32_t Why) const;
  Flow ofNumber(const Token &T, const Reason &Why) const;
  void addObjects(llvm::ArrayRef<uint32_t> Chain, Flow &To) const;

  const Solver &S;
  const FlowPlaces Places;
  std::vector<std::pair<uint32_t, uint32_t>> Into;       ///< nodes, and those from which tokens come there; sorted
  std::vector<std::pair<uint32_t, uint32_t>> LoadedInto; ///< the same, of what is loaded from where these lead
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> Begun; ///< by node: tokens that come from no other
  std::multimap<uint32_t, uint32_t> Ends;                ///< by reason: nodes at which something escapes for it
};

} // namespace mpishm::ir

#endif
