/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Receives from any source or with any tag, and what must not overtake them.
 */
#ifndef MPISHM_WILDCARDS_H
#define MPISHM_WILDCARDS_H

#include "messages/operations.h"

/* So many more receives of this rank, or fewer, can no sender match: tells senders that wait. */
void count_unmatchable(int more);
/* Takes over a receive that is ready to be posted, if it is a wildcard or must not overtake one. `datatype` as in
 * receive_start. */
COLD bool wildcards_hold(struct operation *op, MPI_Datatype datatype);
/* Whether MPI too has to look for the messages of a wildcard. */
bool wildcard_looks_elsewhere(const struct communicator *communicator, int peer);
/* From now on there are posted receives of this rank that no sender can see. */
COLD void wildcards_hide(void);
/* One try to match what waits on a communicator, in order. */
COLD void wildcards_advance(struct communicator *communicator);
/* Takes a waiting receive back, unless there is a message for it, or it waits no more. */
COLD void wildcards_cancel(struct operation *op);
/* receiver_withdraw, which also looks what has come. */
COLD bool wildcards_withdraw(struct operation *op);
/* The oldest message that has come from a rank of this node, that matches, and that no receive is to get; NULL: none.
 * *source: the rank that it is from. */
COLD const struct unexpected *wildcards_peek(struct communicator *communicator, int peer, int tag, int *source);

#endif
