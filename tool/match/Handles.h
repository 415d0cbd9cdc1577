// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which communicators, and which requests, may be the same.
//
// Objects between which a value may flow, in either direction, are one *set*. What a set may hold besides is told by
// its marks:
//
//   origins  MPI_COMM_WORLD and MPI_COMM_SELF are sets of their own that everything joins which they flow into; each
//            communicator that a maker stores is an origin too. Makers that may be one collective operation, called
//            in different places, make one communicator.
//   Escapes  a value of the set goes to code that we do not see. That code may send, receive, complete or make there
//            what it likes.
//   Unknown  a value of the set comes from code that we do not see. It may be any value that escaped, and as every
//            library knows them without being told, MPI_COMM_WORLD and MPI_COMM_SELF.
//
// There is no set "anything" that Escapes and Unknown would unite with: a communicator that is handed to a library is
// not thereby MPI_COMM_WORLD. What Unknown means for other sets is said once, in Classes.cpp.
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

/// Why a set is marked, for messages: "communicator <Object> <What>".
struct Mark {
  Place Where;
  std::string Object; ///< as a user calls it
  std::string What;   ///< "is handed to 'foo', which is not in the database"
};

/// The sets of handles of a program. Communicators and requests never meet, so both live here.
class HandleSets {
public:
  using Set = unsigned;

  explicit HandleSets(const Program &P);

  Set world() const { return Sets[WorldNode]; }
  Set self() const { return Sets[SelfNode]; }

  /// The sets that \p Values may belong to, each once. Sets \p Unknown when one of them is a value of which nothing
  /// is known and that therefore belongs to none.
  std::vector<Set> setsOf(const std::vector<Operand> &Values, bool &Unknown) const;

  /// The first mark, by place, or null.
  const Mark *escapes(Set S) const { return find(EscapeMarks, S); }
  const Mark *unknown(Set S) const { return find(UnknownMarks, S); }

  /// True when the values of \p S come from somewhere we know: then, and without an unknown mark, we know them all.
  bool hasOrigin(Set S) const { return S == world() || S == self() || Makers.count(S); }

  /// The makers (into Program::Calls) of the communicators in \p S.
  const std::vector<unsigned> &makers(Set S) const;

  /// Name of some object in \p S, for messages.
  std::string nameOf(Set S) const;

private:
  static const Mark *find(const std::map<Set, Mark> &Marks, Set S);
  void followFlows();
  void followArguments();
  llvm::BitVector fedObjects() const;
  void followObjects();
  void followCalls();
  void joinCollectives();
  bool joinCollectivesOnce();
  std::optional<unsigned> nodeOf(const Operand &O) const;
  void flow(unsigned To, const Operand &From, const Place &Where);
  void note(std::vector<std::pair<unsigned, Mark>> &Notes, const Operand &Value, const Place &Where, std::string What);
  void assignMarks();

  const Program &P;
  unsigned WorldNode, SelfNode;
  llvm::IntEqClasses Sets;
  std::vector<std::pair<unsigned, Mark>> EscapeNotes, UnknownNotes;
  std::vector<std::pair<unsigned, unsigned>> MakerNotes;
  std::map<Set, Mark> EscapeMarks, UnknownMarks;
  std::map<Set, std::vector<unsigned>> Makers;
  std::map<Set, unsigned> NamingObject;
};

} // namespace mpishm

#endif
