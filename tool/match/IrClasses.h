// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis of LLVM IR (solve) has found of a program, in terms of the operations of its sources.

#ifndef MPISHM_TOOL_MATCH_IRCLASSES_H
#define MPISHM_TOOL_MATCH_IRCLASSES_H

#include "classes/ValueClasses.h"
#include "match/Blocks.h"
#include "match/Operations.h"
#include "program/Decisions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <set>

namespace mpishm {

class IrClasses {
public:
  /// All of these must outlive it. Without \p Values nothing is known.
  IrClasses(const Program &P, const std::vector<Operation> &Ops, const Blocks &Blocked,
            const std::vector<ir::ValueClasses> &Values);

  /// Says of each of \p Ops, the same ones, in which class it is, and what depends on communicator, source and tag.
  /// What no code of a program comes to is in a class of its own. Of what is not known anything is assumed; where a
  /// program was given up, all messages are in one class, all collectives of one function, and all that uses windows.
  void partition(std::vector<Operation> &Ops) const;

  /// Tells why classes are not proved: all that has to go. Of each class the first counts.
  void tellReasons(llvm::function_ref<void(unsigned Class, Finding F)> Tell) const;

  using IsRewritten = llvm::function_ref<bool(unsigned Class)>;

  /// The calls (into Program::Calls) that may complete requests of operations in classes that are \p Rewritten: to be
  /// renamed with them.
  std::set<unsigned> completions(IsRewritten Rewritten) const;

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
    std::vector<Member> Members;                       ///< nothing is known of those that are no ir::ClassMember
    std::vector<Finding> Whys;                         ///< the first counts
    llvm::ArrayRef<ir::SharedCompletions> Completions; ///< of requests of calls that are no members
  };
  /// A completion that was not seen in the source (By is null then), cannot be renamed, or must not be.
  struct Doubt {
    const ir::CallName *Completion;
    const ProgramCall *By;
  };
  using Doubts = std::map<const std::set<ir::CallName> *, std::vector<Doubt>>;
  void add(const ir::ValueClass &Value);
  void addGivenUp(const Finding &Why);
  void addUnreached(const Finding &Why);
  std::set<unsigned> membersOfAll() const;
  std::vector<Doubt> doubtsOf(const std::set<ir::CallName> &Completions) const;
  std::vector<Finding> check(llvm::ArrayRef<ir::SharedCompletions> Completions, const ProgramCall *Of,
                             Doubts &Known) const;
  void addUnreachedCompletions(IsRewritten Rewritten, std::set<unsigned> &To) const;
  std::vector<unsigned> callsOf(const std::set<ir::CallName> &Names) const;
  std::set<unsigned> callsOfKind(FunctionKind Kind) const;

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
