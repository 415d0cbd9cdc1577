// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which message classes are open, and why.
//
// A message class is proved when nothing opens it; what opens classes:
//
//   * an operation of the class that cannot be rewritten;
//   * a synchronous send that a wildcard receive of the class may receive, where the program cannot be marked for it;
//   * what the analysis of LLVM IR says of its handles (IrClasses.h): its communicators, requests, messages of matched
//     probes and windows may be known to code that we do not see, or come from there; its functions are called by their
//     addresses;
//   * its requests may reach a completion call that cannot be rewritten, or a synchronous send's may reach MPI_Cancel;
//   * sources that were not read, and what the program's own compiler may see of it, and the tool does not;
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
#include "match/IrClasses.h"
#include "match/Makers.h"
#include <tuple>

namespace mpishm {

/// The table's column Guard for \p F; None where it is a function without a counterpart that is used as a value.
Guard guardOf(const Finding &F);

/// What all decisions on a program follow from.
struct Analysis {
  Analysis(const Program &Whole, const ProgramContext &Around);

  const ProgramCall &callOf(const Operation &Op) const { return P.Calls[Op.Call]; }

  const Program &P;
  const ProgramContext &Context;
  Blocks Blocked;
  std::vector<Operation> Ops;
  IrClasses Ir;
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
