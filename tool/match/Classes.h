// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message classes: which operations may match which, and which collectives may be one.

#ifndef MPISHM_TOOL_MATCH_CLASSES_H
#define MPISHM_TOOL_MATCH_CLASSES_H

#include "match/Handles.h"
#include "match/Integers.h"

namespace mpishm {

/// A call that sends, receives or probes, or a collective or a call on windows, which do nothing of that.
struct Operation {
  unsigned Call = 0; ///< into Program::Calls
  Part In = Shared;
  HandleValues Comm, Request, Message;       ///< as far as the operation has them
  IntegerValues SendTag, ReceiveTag, Source; ///< as far as the operation has them
  bool Sends = false, Receives = false;      ///< a probe receives
  bool Wildcard = false;                     ///< may receive from any source or with any tag
  bool OnWorld = false;                      ///< its communicator may be MPI_COMM_WORLD or MPI_COMM_SELF
  std::set<unsigned> Makers;                 ///< of its communicator (into Program::Calls)
  unsigned Class = 0;
};

/// The operations of \p P in the order of their places, in no class yet.
std::vector<Operation> findOperations(const Program &P, const HandleSets &Handles, const IntegerFacts &Integers);

/// Puts each of \p Ops in its class; classes are numbered from 0 in the order of their first operations.
///
/// Two operations are in one class when they may be in one program, may use the same communicator, and their tags are
/// not provably different, and so on from one to the next. Ranks are not compared: which ranks run which call is not
/// known. Operations on communicators of unknown origin may match others too, but these are all left alone (see
/// Match.cpp), so that it does not matter in which class they are.
///
/// MPI_Mrecv has neither communicator nor tag: it is in the class of each matched probe whose message it may be given.
///
/// Two collectives are in one class when they may be in one program, on the same communicator, and are of one function.
/// All members call the same function for one collective, so that those of other functions cannot be that one; but they
/// may do so in different places, which is why nothing else tells two of them apart.
///
/// Windows are followed in LLVM IR alone (IrClasses.h): by the sources, calls on windows are in classes of their own.
void partition(const Program &P, std::vector<Operation> &Ops);

} // namespace mpishm

#endif
