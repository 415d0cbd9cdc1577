/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which collectives go through the window, and how their members wait for one another. Under the runtime's mutex, as
 * all of this folder.
 *
 * Every decision is made from what all members see, so that never one is in the window and another in MPI: the
 * communicator, arguments on which MPI wants them to agree, and what they have told one another in the window.
 */
#ifndef MPISHM_MEMBERS_H
#define MPISHM_MEMBERS_H

#include "base/origin.h"
#include "communicators/counted.h"
#include "members/mismatches.h"
#include "watch/waiting.h"
#include "watch/watch.h"

#include <limits.h>

/* In the place of a member. */
enum { NOBODY = UINT_MAX >> 1 };
static inline unsigned member_of_rank(int rank) { return rank == MPI_PROC_NULL ? NOBODY : (unsigned)rank; }

/* Whether its collectives could go through the window, if there are no more than so many members. */
static inline bool collectives_could_be_here(const struct communicator *communicator, int most) {
  return !mpishm.collectives_by_mpi && communicator->size > 1 && communicator->local_count == communicator->size &&
         communicator->size <= most;
}

/* A call as slots and parcels tell it: which, in the form without large counts, and with CONTEXT_UNREWRITTEN that it
 * was not rewritten. */
static inline uint16_t call_mark(enum call call) {
  _Static_assert(2 * CALL_COUNT <= OWN_CONTEXTS, "parcels have it in their envelopes");
  return (uint16_t)((unsigned)call << 1 | (unrewritten.site ? CONTEXT_UNREWRITTEN : 0));
}

COLD struct communicator *collective_look_up(struct communicator *communicator, enum call call);
/* Makes the area of a communicator, of whatever number of members, whose collectives are undecided. Collective over
 * them. */
COLD void collective_open(struct communicator *communicator);

/* The record of a communicator whose collectives go through the window, which knows from now on that this is `call`;
 * NULL: that is MPI's. The first one for a communicator is collective over its members. */
static inline struct communicator *collective_find(MPI_Comm comm, enum call call) {
  struct communicator *communicator = communicator_find(comm);
  if (UNLIKELY(!communicator || communicator->collectives != COLLECTIVES_HERE))
    return collective_look_up(communicator, call);
  communicator->call = call_mark(call);
  return communicator;
}

/* The same for one in which members have to do with one other alone, and only where there is data for it: it needs no
 * area. It is not collective. */
struct communicator *collective_find_pairs(MPI_Comm comm, enum call call);

/* The same for a reduction. */
static inline struct communicator *collective_find_reducing(MPI_Comm comm, enum call call, enum counted kind,
                                                            MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  struct communicator *communicator = collective_find(comm, call);
  return communicator && is_reduction_left_to_library(communicator, kind, count, datatype, op) ? NULL : communicator;
}

/* One round of a wait for a member. */
static inline void collective_pause(struct waiter *waiter, const struct communicator *communicator, unsigned place) {
  if (UNLIKELY(mpishm.watching))
    watch_member(communicator->handle, rank_of_member(communicator, place));
  waiter_pause(waiter);
  if (UNLIKELY(waiter->rounds % ROUNDS_OF_LONG_WAIT == 0))
    mismatch_look(communicator, place, waiter->rounds == ROUNDS_OF_LONG_WAIT);
}

/* What goes along with a barrier: that a member ... */
enum { AGREES = 1, IS_REWRITTEN = 2 };

/* This member's call, which was not rewritten, has met one that was. */
COLD void collective_slipped(void);

/* A barrier. True when any member has come with `bit` set. */
static inline bool collective_agree(struct communicator *communicator, bool bit) {
  struct seat *seat = &communicator->seat;
  uint32_t bits = (bit ? AGREES : 0) | (unrewritten.site ? 0 : IS_REWRITTEN);
  barrier_begin(seat);
  for (unsigned round = 0; round < seat->rounds; round++) {
    struct waiter waiter = {0};
    barrier_tell(seat, round, bits);
    while (!barrier_told(seat, round, &bits))
      collective_pause(&waiter, communicator, barrier_from(seat, round));
  }
  barrier_end(seat);
  if (UNLIKELY(unrewritten.site && bits & IS_REWRITTEN))
    collective_slipped();
  return bits & AGREES;
}

#endif
