// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What packs a message does nothing beside, in the compiled program: it calls nothing out of sight, and writes nothing
// but that message's memory and its own variables.

#ifndef MPISHM_TOOL_CLASSES_PACKERS_H
#define MPISHM_TOOL_CLASSES_PACKERS_H

#include "classes/ProgramMemory.h"
#include "facts/PackingFacts.h"
#include <set>

namespace mpishm::ir {

class Packers {
public:
  /// Of \p Program, which \p Values has followed.
  Packers(const LinkedProgram &Program, const Analysis &Values, const ProgramMemory &Of);

  /// What packs for \p S, of the unit with the main file \p Unit, does beside. Empty: nothing.
  std::string whyNot(const PackedSend &S, const std::string &Unit);
  /// Whether what sends \p S is run once for sure: main, which nobody calls.
  bool isRunOnce(const PackedSend &S, const std::string &Unit) const;

private:
  std::vector<uint32_t> instancesOf(const LinkedName &Name, const std::string &Unit) const;
  std::string checkCallees(const PackedSend &S, const std::string &Unit, std::set<uint32_t> &Reached);
  std::string reach(uint32_t Instance, std::set<uint32_t> &Reached);
  bool isLocal(uint32_t Object, const std::set<uint32_t> &Reached, const Objects &Given);
  std::string checkWrites(const std::vector<uint32_t> &Instances, const std::set<uint32_t> &Reached);
  std::string checkCounts(const PackedSend &S, const std::string &Unit, const std::set<uint32_t> &Reached) const;
  bool isFloatingCall(uint32_t Place) const;

  const LinkedProgram &P;
  const Analysis &A;
  const Memory &Heap;
  const ProgramMemory &Own;
  std::optional<Objects> Stored;                ///< whose addresses are in memory
  std::vector<std::vector<uint32_t>> PlacesOf;  ///< calls, by instance
  std::vector<std::vector<uint32_t>> CalledAt;  ///< functions, by call; NoNode: anything
  std::vector<std::vector<uint32_t>> EnteredAt; ///< instances, by call
};

} // namespace mpishm::ir

#endif
