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
/* Puts a receive of this rank's behind the others; all its fields are set that those have which are posted. `source`: a
 * rank of the node, or -1 for any. One that lies outside the segment must be hidden first. */
void board_add(struct segment *own, struct receive *receive, int source);
void board_remove(struct segment *own, struct receive *receive);
/* The one that was posted first, or next after another; NULL: none. */
static inline struct receive *board_oldest(struct segment *own) {
  return own->board.oldest ? at_offset(own, own->board.oldest) : NULL;
}
static inline struct receive *board_newer(struct segment *own, const struct receive *receive) {
  return receive->newer ? at_offset(own, receive->newer) : NULL;
}
/* Claims a receive for the message at `position` of that rank, which this one has seen. */
void board_promise(struct receive *receive, int node_rank, uint64_t position);
/* What had claimed a receive, which is still here, does not get it. */
static inline void board_void(struct segment *own) { own->board.voided++; }
/* Whether a receive is claimed for that message. */
bool board_has_claim(struct segment *own, int node_rank, uint64_t position);

/* ---- Senders. ---- */

bool board_try_lock(struct board *board);
/* Whether the message at `position` has got a receive on the board of that rank: claims it if it can have one, and so
 * what this sender's messages before it get; of a message that the rank has seen, whether it is promised one. Never
 * waits: false, too, when the rank is just matching. */
bool sender_claim(struct sender *sender, struct segment *receivers, unsigned own_rank, uint64_t position);

#endif
