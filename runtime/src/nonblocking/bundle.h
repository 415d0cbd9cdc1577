/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nonblocking collectives: a *bundle* of parcels (members/parcels.h) that one request stands for. Under the
 * runtime's mutex, as all of this folder.
 *
 * Each has one round: at its start a member sends every other one all that this one is to get of it, and starts to
 * receive what it gets itself. So a member has to do nothing that another waits for once it has started, but what any
 * message of ours needs; it may go on in the program, or wait in MPI for something else. What is computed is computed
 * by each for itself, when all has come.
 *
 * Nobody can change its mind later: that a collective is MPI's is decided by what all members see at its start. Where
 * the arguments of one member are such that MPI refuses them it gets MPI's error, and the others wait for it, as they
 * may in MPI.
 *
 * A persistent one (MPI 4.1, 6.13) is decided, too, when it is made; what its parcels are is noted then (steps.h) and
 * done at each start.
 */
#ifndef MPISHM_BUNDLE_H
#define MPISHM_BUNDLE_H

#include "members/parcels.h"
#include "reductions/reductions.h"

enum { MOST_IN_BUNDLE = 64 }; /* members: each sends to all others */

/* What is computed at the end, of what has come. */
struct combining {
  const struct reduction *reduction; /* whose bits are the same in any order; NULL: nothing is computed */
  void *result;
  bool is_first;              /* what `result` holds by then: an operand, that of the only other member */
  const void *own;            /* this member's operand, which the others may read till then; NULL: there is none */
  const unsigned char *given; /* those of others, one after the other */
  unsigned given_count;       /* of them */
  size_t count;               /* elements of each operand */
};

/* What a call asks for. */
struct asked {
  MPI_Request *request; /* where it goes */
  bool again;           /* a persistent one */
};
static inline struct asked once(MPI_Request *request) { return (struct asked){request, false}; }
static inline struct asked again_and_again(MPI_Request *request) { return (struct asked){request, true}; }

struct bundle {
  struct operation *request;
  struct communicator *communicator;
  uint32_t context;    /* its parcels are about: the communicator's, or one of its own (steps.h) */
  struct steps *steps; /* of a persistent one; else NULL */
  bool is_rooted;      /* not all members hear of this one */
  int error;
  struct combining combining;
  unsigned char *memory;
  unsigned ready, under_way; /* operations: those under way come first */
  struct operation *parcels[];
};

/* The record of a communicator whose nonblocking collectives are bundles; NULL: the call is MPI's. The same for all
 * members, and decided by each for itself. */
static inline struct communicator *bundle_communicator(MPI_Comm comm) {
  struct communicator *communicator = communicator_find(comm);
  return communicator && collectives_could_be_here(communicator, MOST_IN_BUNDLE) ? communicator : NULL;
}

/* For at most so many parcels, with memory; all that it will need, so that nothing can go wrong once the first member
 * has heard of it. NULL: there is none. */
struct bundle *bundle_make(struct communicator *communicator, struct asked asked, unsigned parcels, size_t memory);
/* Starts a parcel, or notes it for each start of a persistent one. Where there are no bytes there is none: the other
 * side knows that, too. */
void bundle_receive(struct bundle *bundle, unsigned from, const struct part *part);
void bundle_send(struct bundle *bundle, unsigned to, const struct part *part);
/* One without bytes. */
void bundle_receive_signal(struct bundle *bundle, unsigned from);
void bundle_send_signal(struct bundle *bundle, unsigned to);
/* From one part into another of this member's. */
void bundle_copy(struct bundle *bundle, const struct part *to, const struct part *from);
/* All is started, or noted. Sets the request, to that of a done send where nothing is left to wait for; the bundle
 * belongs to it. */
void bundle_end(struct bundle *bundle, struct asked asked);

/* What became of a call. */
enum start { START_BY_MPI, STARTED, START_NO_MEMORY };
/* What an entry point does: `starting` says what became of the call, `by_mpi` is MPI's own. Expressions, each of which
 * is evaluated once at most, with the mutex and without it. NOLINTBEGIN(bugprone-macro-parentheses) */
#define START_OR_MPI(call, starting, by_mpi)                                                                           \
  runtime_enter(call);                                                                                                 \
  enum start start = starting;                                                                                         \
  if (UNLIKELY(start == START_BY_MPI)) {                                                                               \
    runtime_unlock();                                                                                                  \
    return runtime_return(by_mpi);                                                                                     \
  }                                                                                                                    \
  runtime_leave();                                                                                                     \
  return UNLIKELY(start != STARTED) ? raise_no_memory(comm) : MPI_SUCCESS
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
