// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the nodes of a graph are in the program's source.

#ifndef MPISHM_TOOL_FLOWS_PLACES_H
#define MPISHM_TOOL_FLOWS_PLACES_H

#include "flows/Flow.h"
#include "solve/Solver.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace mpishm::ir {

class FlowPlaces {
public:
  explicit FlowPlaces(const Solver &Of);

  /// Adds to \p To what happens to \p Subject, "it", on the way of \p Path, nodes from first to last.
  void tell(llvm::StringRef Subject, llvm::ArrayRef<uint32_t> Path, Flow &To) const;
  /// Adds what becomes of \p Subject at \p Node, if a constraint of kind \p Is does that to it.
  void tell(llvm::StringRef Subject, Constraint::Kind Is, llvm::StringRef Becomes, uint32_t Node, Flow &To) const;
  /// Where the call stands that makes \p T, a handle; no step for those that mpi.h names.
  std::optional<FlowStep> madeBy(const Token &T) const;

private:
  /// A constraint or call that a node takes part in.
  struct Use {
    uint32_t Node = 0, In = 0;      ///< In: into Solver::Instances
    const Constraint *Is = nullptr; ///< of a call: Constraint::Kind::Call
  };
  /// A parameter of a function.
  struct Parameter {
    uint32_t In = 0, Index = 0;
  };

  llvm::ArrayRef<Use> usesOf(uint32_t Node) const;
  Place placeOf(const Use &U) const;
  const Call &callOf(const Use &U) const;
  std::string functionOf(uint32_t Instance) const;
  bool isOfLibrary(uint32_t Instance) const;
  std::optional<FlowStep> storeIn(const std::string &Object, llvm::ArrayRef<uint32_t> Before) const;
  std::optional<FlowStep> argumentOf(const Parameter &P, llvm::ArrayRef<uint32_t> Before) const;
  std::optional<FlowStep> resultAt(uint32_t Node, const std::string &Held) const;

  const Solver &S;
  std::vector<Use> Uses;                           ///< by node
  llvm::DenseMap<uint32_t, uint32_t> ObjectAt;     ///< nodes of cells, to their objects
  llvm::DenseMap<uint32_t, Parameter> ParameterAt; ///< nodes
};

} // namespace mpishm::ir

#endif
