/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions of more than two members, to all or to one, in which each member combines a *slice*: some elements of what
 * all have given. Then it gives that to the others. So each reads twice what one member has given, and not all that all
 * have given, as where each combines everything. (Rabenseifner, Optimization of Collective Reduction Operations, ICCS
 * 2004, has them do so by messages.) An element is combined in the same order as it would be by one member alone.
 */
#ifndef MPISHM_SLICES_H
#define MPISHM_SLICES_H

#include "reductions/reduce.h"

/* Combines `count` elements, at `from` bytes, of what the members have given, in the reduction's order, into memory
 * that may be that of the own operand. True: the bits are in doubt. `given` has a pointer for each member. */
bool combine_of_members(const struct reduce *reduce, const unsigned char *const given[], size_t from, size_t count,
                        void *into);

enum {
  SLICE_BYTES = LINE,
  SLICED_BYTES = 6 << 10 /* of others: less is read faster than it takes to meet a second time */
};

/* Whether it is done by slices, which all members answer alike. Where ranks outnumber cores a second meeting costs time
 * slices, and short ones are not. */
static inline bool goes_by_slices(const struct communicator *communicator, size_t bytes) {
  const unsigned members = communicator->seat.members;
  const bool is_much = (members - 1) * bytes >= SLICED_BYTES && !mpishm.oversubscribed;
  return members > 2 && (is_much || exceeds_slot(communicator, bytes));
}

/* A reduction that goes by slices, to the member `root`, or to all: NOBODY. All members know the order if there is one.
 * True: it is MPI's after all; then the buffer is as it was before. */
bool reduce_by_slices(struct communicator *communicator, const struct reduction *reduction, const struct order *order,
                      unsigned root, const void *sendbuf, void *recvbuf, MPI_Count count);

#endif
