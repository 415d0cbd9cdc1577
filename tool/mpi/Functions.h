// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tool knows about each function of the MPI standard: one table, Functions.def.

#ifndef MPISHM_TOOL_MPI_FUNCTIONS_H
#define MPISHM_TOOL_MPI_FUNCTIONS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mpishm {

/// What a function does, as far as matching is concerned.
enum class FunctionKind : uint8_t {
  Send,           ///< starts or does a send: MPI_Send, MPI_Isend, MPI_Ssend, MPI_Send_init, MPI_Psend_init, ...
  Receive,        ///< starts or does a receive: MPI_Recv, MPI_Irecv, MPI_Recv_init, ...
  SendReceive,    ///< MPI_Sendrecv and relatives: a send and a receive in one call
  Probe,          ///< MPI_Probe, MPI_Iprobe, MPI_Mprobe, MPI_Improbe
  MatchedReceive, ///< receives what a matched probe has found: MPI_Mrecv, MPI_Imrecv
  Completion,     ///< completes, tests, frees, starts or cancels requests: MPI_Wait, MPI_Start, ...
  Maker,          ///< makes a communicator: MPI_Comm_dup, MPI_Cart_create, ...
  Collective,     ///< MPI_Barrier, MPI_Bcast, MPI_Ialltoall, ...; those that the runtime has not have no row
  Reduction,      ///< those that compute: MPI_Reduce, MPI_Scan, ...
  WindowMaker,    ///< makes a window: MPI_Win_create, ...
  OneSided,       ///< uses one or frees it: MPI_Put, MPI_Win_fence, MPI_Win_get_attr, ...
  Initialize,     ///< MPI_Init, MPI_Init_thread
  Memory,         ///< MPI_Alloc_mem, MPI_Free_mem
  HandleLeak      ///< turns a handle into something untracked, or the other way: MPI_Comm_c2f, ...
};

/// True for collectives, reductions too, that make nothing but a request.
constexpr bool isCollective(FunctionKind Kind) {
  return Kind == FunctionKind::Collective || Kind == FunctionKind::Reduction;
}

/// True for what makes windows, or is done on them.
constexpr bool isOneSided(FunctionKind Kind) {
  return Kind == FunctionKind::WindowMaker || Kind == FunctionKind::OneSided;
}

/// The runtime's ability to do what the function does.
enum class Support : uint8_t {
  Rewritten,  ///< the runtime has MPISHM_<name> with the same parameters
  Unsupported ///< the runtime has no counterpart: a call of it opens its message class
};

/// Position of an argument, or absent.
using ArgumentIndex = std::optional<unsigned>;

/// One row of the table.
struct FunctionInfo {
  llvm::StringLiteral Name; ///< "MPI_Isend"; the PMPI_ and MPISHM_ spellings share the row
  FunctionKind Kind;
  Support Supported;
  bool Nonblocking;   ///< returns a request or is persistent: a neighbour exchange hangs on it
  ArgumentIndex Comm; ///< communicator that is used
  ArgumentIndex Peer; ///< destination of a send, source of a receive or probe
  ArgumentIndex Tag;
  ArgumentIndex SecondPeer;            ///< Sendrecv: source
  ArgumentIndex SecondTag;             ///< Sendrecv: receive tag
  ArgumentIndex Request;               ///< request or array of requests, given or taken
  ArgumentIndex NewComm;               ///< makers: where the new communicator goes
  ArgumentIndex Message;               ///< message that a matched probe has found, given or taken
  ArgumentIndex Window = std::nullopt; ///< window that is used; of makers and MPI_Win_free, where it is
};

/// The row of \p Name ("MPI_X", "PMPI_X" or "MPISHM_X"; a "_c" variant has a row of its own, "MPISHM_Init_guarded" that
/// of MPI_Init, "MPISHM_Isend_packed" that of MPI_Isend), or null when it is no function of the table. Thread-safe.
const FunctionInfo *findFunction(llvm::StringRef Name);

/// The collective that the members of a communicator take part in by calling \p Function: all of them call it, or its
/// large-count variant, for one collective. "MPI_Bcast" for MPI_Bcast and MPI_Bcast_c, which MPI_Ibcast never matches;
/// what makes windows is one, too; empty when it is none.
llvm::StringRef collectiveOf(const FunctionInfo &Function);

/// Whether \p Function makes a partitioned send or receive, which match each other alone (MPI 4.0, 4.2).
bool isPartitioned(const FunctionInfo &Function);

/// A buffer, by the position of its argument, and that of the number of its elements; absent where those are several.
/// Behind a number stands the datatype.
struct BufferArgument {
  unsigned Buffer;
  ArgumentIndex Count;
};

/// The buffers of a collective that only brings data from one member to another.
struct CollectiveBuffers {
  llvm::StringLiteral Name; ///< without MPI_, of the blocking form
  BufferArgument From;      ///< MPI_IN_PLACE: what is in `Into`
  std::optional<BufferArgument> Into;
};

/// Those of \p Function, or null where it is none, or has no data.
const CollectiveBuffers *collectiveBuffersOf(const FunctionInfo &Function);

/// Whether it matters where the data of \p Function is put, as it does for messages, which parts that are long are in
/// these; in others each member takes what it gets from where it lies.
bool takesMessages(const FunctionInfo &Function);

/// Whether \p Info is a call that reads or writes the memory of a window: MPI_Put, MPI_Get, MPI_Accumulate and
/// relatives.
bool isWindowAccess(const FunctionInfo &Info);

/// What the runtime's MPISHM_Attach, which has no row, is called in the facts; and whether \p Name is it, or a form of
/// it that marks a program.
inline constexpr llvm::StringLiteral AttachName = "MPISHM_Attach";
bool isAttach(llvm::StringRef Name);

/// What marks a program. The functions that set the runtime up also exist in forms that say so: "MPISHM_Init_guarded",
/// "MPISHM_Init_nodewise", "MPISHM_Init_nodewise_guarded".
struct Marks {
  bool Guarded = false;  ///< it needs the net
  bool Nodewise = false; ///< MPI has its messages on communicators with members on several nodes

  bool any() const { return Guarded || Nodewise; }
  Marks operator|(Marks Other) const { return {Guarded || Other.Guarded, Nodewise || Other.Nodewise}; }
  bool operator==(const Marks &) const = default;
};
/// Those of \p Name; none of a function that does not set the runtime up by the runtime's name.
Marks marksOf(llvm::StringRef Name);
/// The form with \p Wanted for \p Function ("MPI_Init", AttachName, or a form of them).
std::string markedForm(llvm::StringRef Function, Marks Wanted);

/// True when \p Name is spelled like a function of MPI ("MPI_" or "PMPI_" and an upper case letter), in the table or
/// not.
bool isMpiName(llvm::StringRef Name);

} // namespace mpishm

#endif
