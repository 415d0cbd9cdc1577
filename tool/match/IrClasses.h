// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis of LLVM IR (solve) has found of a program, in terms of the operations of its sources.

#ifndef MPISHM_TOOL_MATCH_IRCLASSES_H
#define MPISHM_TOOL_MATCH_IRCLASSES_H

#include "match/Blocks.h"
#include "match/Classes.h"
#include "match/Decisions.h"
#include "solve/ValueClasses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <set>

namespace mpishm {

class IrClasses {
public:
  /// All of these must outlive it.
  IrClasses(const Program &P, const std::vector<Operation> &Ops, const Blocks &Blocked,
            const std::vector<ir::ValueClasses> &Values);

  /// Says of each of \p Ops, the same ones, in which class it is, and what depends on communicator, source and tag.
  /// What no code of a program comes to is in a class of its own.
  void partition(std::vector<Operation> &Ops) const;

  using IsOpen = llvm::function_ref<bool(unsigned Class)>;
  using Open = llvm::function_ref<void(unsigned Class, Finding F)>;

  /// Opens what is not proved, by itself or since it may match what is open. To be called again until it opens nothing
  /// more: false.
  bool refuse(IsOpen Known, Open Refuse) const;

  /// Tells all that \p refuse knows of each class by itself, also of those that were open before: what has to go.
  void tellReasons(Open Tell) const;

  /// The calls (into Program::Calls) that complete requests of operations in classes that are not open: to be renamed
  /// with them.
  std::set<unsigned> completions(IsOpen Known) const;

  /// Calls (into Program::Calls) that make communicators and may be one collective call. With one that has no name
  /// there is a finding.
  struct MakerGroup {
    std::vector<unsigned> Calls;
    std::optional<Finding> Why;
  };
  std::vector<MakerGroup> makers() const;

  /// Operations, by their numbers, in functions that nothing comes to which was read, but that other code could name.
  std::vector<unsigned> uncalled() const;

  /// False where nothing was found out since a program is too large.
  bool isComplete() const;

private:
  struct Member {
    unsigned Op;
    const ir::ClassMember *Is;
  };
  struct Class {
    std::vector<Member> Members;
    std::vector<Finding> Whys; ///< the first counts
  };
  void add(const ir::ValueClass &Value);
  void addGivenUp(const ir::Refusal &Why);
  void addUnreached(const Finding &Why);
  std::vector<Finding> check(const ir::ClassMember &M, unsigned Op) const;
  std::vector<unsigned> callsOf(const std::set<ir::CallName> &Names) const;

  const Program &P;
  const std::vector<Operation> &Ops;
  const Blocks &Blocked;
  const std::vector<ir::ValueClasses> &Values;
  std::map<ir::CallName, std::vector<unsigned>> Calls; ///< into Program::Calls
  std::map<unsigned, std::vector<unsigned>> OpsOf;     ///< by call
  std::vector<Class> Classes;
  std::optional<Finding> Unseen; ///< a call of MPI's that the sources are not seen to have
};

} // namespace mpishm

#endif
