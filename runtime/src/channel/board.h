/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A rank's board: its receives that stand in no inbox, since they may match the messages of several senders or of
 * several tags, or wait behind such a one. Senders cannot deliver to them. But one that must not end before its receive
 * has begun, a synchronous one, *claims* the receive that its message is going to get: from then on that is settled,
 * and the sender may leave the message behind.
 *
 * The rank holds the lock while it matches messages to these receives, from before it looks what has come until each of
 * them has what it can get. A receive that cannot take its message yet is *promised* to it: the rank itself claims the
 * receive in the name of the sender. So whoever finds the lock free knows: no message that the rank has seen matches a
 * receive on the board that nobody has claimed.
 */
#ifndef MPISHM_BOARD_H
#define MPISHM_BOARD_H

#include "channel/channel.h"

/* ---- The rank itself; but for taking it, under the lock. ---- */

void board_lock(struct board *board);
void board_unlock(struct board *board);
/* Puts a receive behind the others. `source`: a rank of the node, or -1 for any. False when the board is full. */
bool board_add(struct board *board, struct envelope envelope, int source);
/* Takes out the i-th; those behind it move up. */
void board_remove(struct board *board, unsigned i);
/* The rank of the node that has claimed the i-th, or -1. */
int board_claimer(const struct board *board, unsigned i);
/* Claims the i-th for the message at `position` of that rank, which this one has seen. */
void board_promise(struct board *board, unsigned i, int node_rank, uint64_t position);
/* Whether a receive is claimed for that message. */
bool board_has_claim(const struct board *board, int node_rank, uint64_t position);

/* ---- Senders. ---- */

bool board_try_lock(struct board *board);
/* Whether the message at `position` has got a receive on the board of that rank: claims it if it can have one, and so
 * what this sender's messages before it get; of a message that the rank has seen, whether it is promised one. Never
 * waits: false, too, when the rank is just matching, or does not know of all the messages before it. */
bool sender_claim(struct sender *sender, struct segment *receivers, unsigned own_rank, uint64_t position);

#endif
