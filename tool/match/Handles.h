// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which communicators, requests, and messages of matched probes may be the same.
//
// A *set* stands for communicators that come from one place: MPI_COMM_WORLD, MPI_COMM_SELF, what one call of a maker
// makes; calls that may be one collective operation, made by different ranks in different places, make one set. Values
// go along the flows in their direction (both ways where a pointer or reference was made), so that a helper function to
// which several communicators are handed makes none of them another. Requests and messages live in storage that is
// handed around by address: there a set is all storage between which a value may flow, in either direction.
//
// What becomes of values besides is told by marks:
//
//   Escapes  a value of the set goes to code that we do not see. That code may send, receive, complete or make there
//            what it likes.
//   Unknown  the value may come from code that we do not see. It may be any value that escaped, and as every library
//            knows them without being told, MPI_COMM_WORLD and MPI_COMM_SELF.
//
// There is no set "anything" that Escapes and Unknown would unite with: a communicator that is handed to a library is
// not thereby MPI_COMM_WORLD. What Unknown means for other sets is said once, in Match.cpp.
//
// Assumed, and stated to users: libraries use the communicators that they were handed or made (not MPI_COMM_WORLD by
// themselves with the program's tags), and call no function of the program but through pointers to it.

#ifndef MPISHM_TOOL_MATCH_HANDLES_H
#define MPISHM_TOOL_MATCH_HANDLES_H

#include "match/Program.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/IntEqClasses.h"
#include <map>
#include <optional>

namespace mpishm {

/// Why a set or value is marked, for messages: "communicator <Object> <What>".
struct Mark {
  Place Where;
  std::string Object; ///< as a user calls it
  std::string What;   ///< "is handed to 'foo', which is not in the database"
  Part In = Shared;   ///< the program whose code says so
};

/// What is known of the values of some operands.
struct HandleValues {
  std::vector<unsigned> Sets;        ///< that they may belong to, sorted, each once
  std::vector<const Mark *> Unknown; ///< where values come from that we do not see, one mark for each part
  bool Anything = false;             ///< some value is one of which nothing is known
  std::string Name;                  ///< of an object among the operands, for messages
};

/// The sets of handles of a program.
class HandleSets {
public:
  using Set = unsigned;

  /// Calls of the functions \p Trusted keep nothing of what they are given and use none of it.
  HandleSets(const Program &P, const TrustedCalls &Trusted);

  static constexpr Set World = 0, Self = 1;

  HandleValues valuesOf(const std::vector<Operand> &Operands) const;

  /// A mark that says that values of \p S leave our sight in a program that \p In is a part of, or null.
  const Mark *escapes(Set S, Part In) const;

  /// The maker (into Program::Calls) of the communicators in \p S; none for other sets.
  std::optional<unsigned> maker(Set S) const;

  /// The set of what call \p Maker makes.
  Set madeBy(unsigned Maker) const { return SetOfMaker.at(Maker); }

private:
  using Notes = std::vector<std::pair<unsigned, Mark>>;
  static constexpr unsigned NoNode = ~0u;

  void followFlows();
  void followArguments(const TrustedCalls &Trusted);
  llvm::BitVector fedObjects() const;
  void followObjects();
  void followMakers();
  unsigned nodeOf(const Operand &O) const;
  void flow(unsigned To, const Operand &From, bool Both, Part In, const Place &Where);
  void note(Notes &Into, const Operand &Value, Part In, const Place &Where, std::string What);
  void propagateOrigins();
  void propagateUnknown();
  bool joinCollectivesOnce(llvm::IntEqClasses &Same) const;
  void joinCollectives();
  void assignEscapes();

  const Program &P;
  unsigned WorldNode, SelfNode;
  llvm::IntEqClasses Groups;                         ///< of nodes: objects, and one for each of the constants
  std::vector<std::pair<unsigned, unsigned>> OneWay; ///< from node to node
  std::vector<std::vector<unsigned>> Successors;     ///< per group
  std::vector<unsigned> MakerCalls;                  ///< set 2 + i is what call MakerCalls[i] makes, and others
  std::map<unsigned, Set> SetOfMaker;
  std::vector<std::vector<Set>> Origins;        ///< per group, sorted
  std::vector<std::vector<unsigned>> UnknownOf; ///< per group, into UnknownNotes; one for each part
  Notes EscapeNotes, UnknownNotes;
  std::map<Set, std::map<Part, const Mark *>> EscapeMarks;
};

} // namespace mpishm

#endif
