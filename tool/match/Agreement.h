// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two analyses of one program: this one, of the sources, and that of LLVM IR (solve). Only what both prove is
// rewritten.

#ifndef MPISHM_TOOL_MATCH_AGREEMENT_H
#define MPISHM_TOOL_MATCH_AGREEMENT_H

#include "match/Blocks.h"
#include "match/Classes.h"
#include "match/Decisions.h"
#include "solve/ValueClasses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <set>

namespace mpishm {

/// What the classes of the other analysis say about the operations of this one.
class Agreement {
public:
  /// All of these must outlive it.
  Agreement(const Program &P, const std::vector<Operation> &Ops, const Blocks &Blocked,
            const std::vector<ir::ValueClasses> &Values);

  using IsOpen = llvm::function_ref<bool(unsigned Class)>;
  using Open = llvm::function_ref<void(unsigned Class, Finding F)>;

  /// Opens what the other analysis has not proved, by itself or since it may match what is open. To be called again
  /// until it opens nothing more: false.
  bool refuse(IsOpen Known, Open Refuse) const;

  /// The calls (into Program::Calls) that complete requests of operations in classes that are not open, by the other
  /// analysis: to be renamed with them, whether this one sees that or not.
  std::set<unsigned> completions(IsOpen Known) const;

private:
  struct Member {
    unsigned Op;
    const ir::ClassMember *Is;
  };
  struct Class {
    std::vector<Member> Members;
    std::optional<Finding> Why;
  };
  void add(const ir::ValueClass &Value);
  void addGivenUp(const ir::Refusal &Why);
  std::optional<Finding> check(const ir::ClassMember &M, unsigned Op) const;

  const Program &P;
  const std::vector<Operation> &Ops;
  const Blocks &Blocked;
  std::map<ir::CallName, std::vector<unsigned>> Calls; ///< into Program::Calls
  std::map<unsigned, std::vector<unsigned>> OpsOf;     ///< by call
  std::vector<Class> Classes;
};

} // namespace mpishm

#endif
