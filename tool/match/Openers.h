// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which message classes are open, and why.
//
// A message class is proved when nothing opens it; what opens classes:
//
//   * an operation of the class that cannot be rewritten;
//   * a synchronous send that a wildcard receive of the class may receive, where the program cannot be marked for it;
//   * its communicator: one that code which we do not see may know (it may send or receive there) or may have made (it
//     may be any communicator that such code knows). Since all code knows MPI_COMM_WORLD and MPI_COMM_SELF, operations
//     on a communicator of unknown origin open the classes on these two as well;
//   * its requests: they may reach code that we do not see, or a completion call that cannot be rewritten, or a
//     synchronous send's may reach MPI_Cancel;
//   * its matched probes: their messages may reach code that we do not see;
//   * point-to-point functions used as values: such calls may match anything;
//   * its windows: they may be known to code that we do not see, or come from there, or be made on a communicator that
//     such code knows;
//   * MPI_Init: when it cannot be rewritten, the runtime would not be there.
//
// Communicators that the runtime is not told of go through MPI at run time on all their ranks, which is safe; only a
// class that would never meet another kind is left alone for it. But telling is collective: all calls of a maker that
// may be the same collective operation are renamed together or not at all.
//
// An open class can be guarded when the net serves whatever might meet it: when no reason is of Guard::None (Guard.h).

#ifndef MPISHM_TOOL_MATCH_OPENERS_H
#define MPISHM_TOOL_MATCH_OPENERS_H

#include "match/Blocks.h"
#include "match/Classes.h"
#include "match/Makers.h"
#include <tuple>

namespace mpishm {

/// What all decisions on a program follow from.
struct Analysis {
  Analysis(const Program &Whole, const ProgramContext &Around);

  const ProgramCall &callOf(const Operation &Op) const { return P.Calls[Op.Call]; }

  const Program &P;
  const ProgramContext &Context;
  HandleSets Handles;
  IntegerFacts Integers;
  Blocks Blocked;
  std::vector<Operation> Ops;
  std::optional<IrClasses> Ir; ///< when LLVM IR was analysed
  const bool ByIr;             ///< that alone decides
  MakerGroups Makers;
};

/// Findings in the order in which they are made, none twice.
class FindingList {
public:
  /// The number of \p F among them.
  unsigned add(Finding F);
  const Finding &operator[](unsigned Index) const { return All[Index]; }
  std::vector<Finding> take() { return std::move(All); }

private:
  std::vector<Finding> All;
  std::map<std::tuple<Diagnostic, Place, std::vector<std::string>>, unsigned> Known;
};

/// Why the classes are open.
struct Openings {
  FindingList Findings;
  /// Per class: the reasons, into Findings, and what can be done about each.
  std::vector<std::map<unsigned, Guard>> Reasons;
  /// Per class: further reasons by LLVM IR, which have no say in anything, but must go before it can be proved.
  std::vector<std::set<unsigned>> Further;
  /// Per class: there is something that no net can guard, whether or not it is among the reasons.
  std::vector<bool> Unguarded;
  /// Calls (into Program::Calls) that complete requests of rewritten classes by the analysis of LLVM IR.
  std::set<unsigned> Completions;
  /// Calls of classes that can be guarded which keep their names all the same (into Program::Calls), and why.
  std::map<unsigned, unsigned> Keeps;

  bool isOpen(unsigned Class) const { return !Reasons[Class].empty(); }
  bool canBeGuarded(unsigned Class) const { return isOpen(Class) && !Unguarded[Class]; }
};

/// Opens classes. With \p Guarded those that can be guarded do not stand in the way of others, and the reasons of the
/// rest say also what no net can guard.
Openings openClasses(const Analysis &A, bool Guarded);

} // namespace mpishm

#endif
