// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message classes by the analysis of LLVM IR: which operations may match which, and whether all of a class are known.
// Plain data, for the stages that do not know how it is made.

#ifndef MPISHM_TOOL_CLASSES_VALUECLASSES_H
#define MPISHM_TOOL_CLASSES_VALUECLASSES_H

#include "facts/Place.h"
#include "flows/Flow.h"
#include "models/MemoryRelease.h"
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace mpishm::ir {

/// A call of MPI's as `match` knows it: by the place of its name, and what is spelled there.
struct CallName {
  Place Where;
  std::string Function; ///< "MPI_Isend", "PMPI_Isend", "MPISHM_Isend"
};
inline bool operator<(const CallName &A, const CallName &B) {
  return std::tie(A.Where, A.Function) < std::tie(B.Where, B.Function);
}
inline bool operator==(const CallName &A, const CallName &B) { return A.Where == B.Where && A.Function == B.Function; }

/// Why a class is open.
struct Refusal {
  /// What is out of sight: a handle that a call makes or is given, or a communicator since nobody knows where it is
  /// made; or a function of MPI, since it is called by its address or by another name, or the program defines it, or
  /// since the runtime has none such. A communicator on which windows are made is a matter of its own, since the net
  /// makes none.
  enum class Subject : uint8_t {
    Other,
    Request,
    Message,
    Communicator,
    UnknownCommunicator,
    Window,
    UnknownWindow,
    DynamicWindow, ///< no other than those that stay MPI's
    CommunicatorOfWindow,
    Unsupported,
    FunctionAsValue,
    FunctionDefined
  };
  Subject Of = Subject::Other;
  /// Whose handle, or which function: "MPI_Irecv"; of a communicator that has a name in mpi.h: that; empty for
  /// Subject::Other.
  std::string Call;
  std::string Text; ///< of a handle: "is in variable 'r', which is handed to 'f', ..."; else a sentence
  std::string File; ///< where that begins; empty when it is nowhere
  unsigned Line = 0;
  Flow Way = {}; ///< of the handle until there, where the user asks for it; says nothing more of what is the same
};

inline bool operator==(const Refusal &A, const Refusal &B) {
  return std::tie(A.Of, A.Call, A.Text, A.File, A.Line) == std::tie(B.Of, B.Call, B.Text, B.File, B.Line);
}

/// The communicator of \p Why, as people call it: "MPI_COMM_WORLD", "of MPI_Isend".
std::string communicatorOf(const Refusal &Why);

/// \p Why as a sentence: "the request of MPI_Irecv is in variable 'r', ...".
std::string textOf(const Refusal &Why);

/// Completions that the same requests may reach. Many operations have the same: theirs are one object.
using SharedCompletions = std::shared_ptr<const std::set<CallName>>;

/// A send, receive, probe, collective or call on windows that the program may come to.
struct ClassMember {
  CallName Call;
  std::vector<SharedCompletions> Completions; ///< that its request may reach, or where that is not known; none twice
  std::set<CallName> Makers;                  ///< of its communicator
  bool OnWorld = false;                       ///< its communicator may be MPI_COMM_WORLD or MPI_COMM_SELF
  bool Wildcard = false;                      ///< it may receive from any source or with any tag
  std::vector<Refusal> Whys;                  ///< its own reasons, none twice; the first counts
};

/// Calls of one function that makes communicators, which may be one collective call: ranks may come to it in different
/// places.
struct MakerGroup {
  std::vector<CallName> Calls;
  bool AllKnown = true; ///< none is called by the function's address or by another name
};

struct ValueClass {
  std::vector<ClassMember> Members;
  std::vector<Refusal> Whys;                  ///< of those that are known by no name: a class with such is open
  std::vector<SharedCompletions> Completions; ///< that the requests of these may reach
  bool isClosed() const {
    return Whys.empty() &&
           std::none_of(Members.begin(), Members.end(), [](const ClassMember &M) { return !M.Whys.empty(); });
  }
};

/// A line of the program that allocates memory, and the messages that may be in that.
struct MessageMemory {
  std::string File;
  unsigned Line = 0;
  std::set<CallName> Messages;
};

/// Why the copy of a message stays that a function packs directly before it is sent; empty: whatever its buffer holds
/// after the send, nobody sees it, and the function does nothing but pack.
using PackedVerdicts = std::map<CallName, std::string>;

struct ValueClasses {
  std::vector<ValueClass> Classes; ///< in the order of their first members
  std::vector<MakerGroup> Makers;
  std::vector<AllocatedMemory> Released; ///< of malloc and new[], where that may be given back
  std::vector<MessageMemory> Memory;     ///< all that is allocated, where the program comes to that
  PackedVerdicts Packed;                 ///< of ClassesOptions::Packed, as far as the program comes to them
  std::set<CallName> Reached;            ///< calls of MPI's that the program may come to
  std::set<CallName> Uncalled; ///< in functions that nothing comes to, as far as was read, but other code could name
  /// When the analysis was given up: why. There are no classes then, and nothing is proved.
  std::optional<Refusal> GivenUp;
  size_t Functions = 0, Nodes = 0, Objects = 0, Edges = 0; ///< of the analysis
  uint64_t Steps = 0;
};

/// Prints \p Classes for people and tests.
void dump(const ValueClasses &Classes, llvm::raw_ostream &Out);

} // namespace mpishm::ir

#endif
