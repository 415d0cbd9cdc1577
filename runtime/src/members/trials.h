/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which way a collective goes where both are right: through the window, or by the MPI library. That depends on where
 * the buffers of all members lie and on the machine's state, so it is measured now and then, for each *kind* of
 * collective of a communicator: an operation and a class of sizes, which MPI wants to be the same on all members.
 *
 * A *trial* is some calls by the library and some ours, of which a few are timed. Each member tells what they took it
 * (area/area.h), in a line of its own for which nobody waits; some collectives later all know what they took the
 * slowest member, and come to the same decision from that. All calls of a kind are counted alike on all members: those
 * that were done one way or the other, but not those that turned out to be the library's for what a member's arguments
 * or values are, as all members know of such.
 */
#ifndef MPISHM_TRIALS_H
#define MPISHM_TRIALS_H

#include "communicators/communicators.h"

/* Operations whose members know how long each other's data is; and from TRIED_BY_SLOTS on, those whose members learn it
 * from each other's slots: each says how long the longest part is that it has for another one, and the longest of all
 * counts. So a call that is left to the library takes an exchange of slots, too. */
enum tried {
  TRIED_BCAST,
  TRIED_ALLREDUCE,
  TRIED_REDUCE,
  TRIED_ALLTOALL,
  TRIED_ALLGATHER,
  TRIED_SCAN,
  TRIED_EXSCAN,
  TRIED_REDUCE_SCATTER,
  TRIED_REDUCE_SCATTER_BLOCK,
  TRIED_BY_SLOTS,
  TRIED_ALLTOALLV = TRIED_BY_SLOTS,
  TRIED_ALLGATHERV,
  TRIED_OPERATIONS,
  NOT_TRIED
};

enum {
  TRIED_BYTES = 4 << 10,   /* shorter ones are ours: a trial would cost more than it could gain */
  CALLS_BEFORE_TRIAL = 32, /* unless MPISHM_TRIALS says otherwise */
  MOST_CALLS_BEFORE_TRIAL = 1 << 20
};

/* MPISHM_TRIALS of this rank; -1: none. */
int trials_wanted(void);
/* False: there is no memory for what a communicator has to keep. */
bool trials_make(struct communicator *communicator);

/* The communicator of the call of this thread that is counted; NULL: there is none. */
extern _Thread_local struct communicator *tried_now;
bool trial_begin(struct communicator *communicator, enum tried operation, size_t bytes);
void trial_over(bool by_mpi);

/* Whether this call, of a communicator with an area, is left to the library; `bytes` is the same for all members. */
static inline bool trial_leaves(struct communicator *communicator, enum tried operation, size_t bytes) {
  return UNLIKELY(bytes >= TRIED_BYTES) && operation != NOT_TRIED && communicator->trials &&
         trial_begin(communicator, operation, bytes);
}
/* The same for a call of which no size is known, since MPI is to refuse it: where others may be with the library, this
 * member has to go there, and not wait for them here. */
bool trial_may_leave(const struct communicator *communicator, enum tried operation);

/* ---- By slots. ---- */

/* A class of sizes; 0: they are not tried. */
static inline uint8_t size_class_of(size_t bytes) {
  return bytes < TRIED_BYTES ? 0 : (uint8_t)(1 + __builtin_clzll(TRIED_BYTES) - __builtin_clzll(bytes));
}
/* Whether members have to say it, which all of them know alike. */
static inline bool trial_needs_classes(const struct communicator *communicator, enum tried operation) {
  return operation != NOT_TRIED && operation >= TRIED_BY_SLOTS && communicator->trials != NULL;
}
/* When the call began, if that may be to be timed. */
uint64_t trial_clock(const struct communicator *communicator, enum tried operation);
/* The same as trial_leaves, of one that began then; the class is that of the longest part of any member's. */
bool trial_leaves_class(struct communicator *communicator, enum tried operation, uint8_t size_class, uint64_t began);

/* ---- The end of a call. ---- */

/* A call has been done our way. */
static inline void trial_end(void) {
  if (UNLIKELY(tried_now != NULL))
    trial_over(false);
}
/* MPI's function has returned: of a call that was left to it, or turned out to be its own. Without the mutex. */
static inline int trial_return(int error) {
  if (UNLIKELY(tried_now != NULL))
    trial_over(true);
  return error;
}

#endif
