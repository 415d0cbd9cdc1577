/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The sender's side of a channel: what a sender finds out by itself about the receives for messages that their receiver
 * has not seen.
 */
#include "channel/board.h"
#include "channel/channel.h"

/* The cell at a position that the receiver has not consumed: it still stands in the ring or in an older one. */
static struct cell *unconsumed_cell(struct sender *sender, uint64_t position) {
  for (struct retired *ring = sender->retired; ring; ring = ring->next)
    if (ring->cells && position >= ring->start && position < ring->until)
      return (struct cell *)ring->memory + ((position - ring->start) & (ring->cells - 1));
  return sender_cell(sender, position);
}

/* Whether there is a message in it that nobody has delivered. */
static bool holds_message(struct cell *cell) {
  enum cell_kind kind = (enum cell_kind)(atomic_load_explicit(&cell->word, memory_order_relaxed) & 0xff);
  return kind != CELL_SKIP && kind != CELL_JUMP;
}

/* How many unconsumed messages before `position` carry `envelope`: that many posted receives are theirs. */
static uint64_t count_before(struct sender *sender, uint64_t from, uint64_t position, struct envelope envelope) {
  uint64_t count = 0;
  for (uint64_t at = from; at < position; at++) {
    struct cell *cell = unconsumed_cell(sender, at);
    count += holds_message(cell) && same_envelope(cell->envelope, envelope);
  }
  return count;
}

/* The unmatched receive of an envelope that follows `skip` others. Receives that lie outside the segment mean nothing
 * here: the search ends at the first. */
static struct receive *find_posted(struct inbox *inbox, struct segment *receivers, struct envelope envelope,
                                   uint64_t skip) {
  uint64_t at = atomic_load_explicit(&inbox->posted[bucket_of(envelope)], memory_order_acquire);
  while (at && at < receivers->bytes) {
    struct receive *receive = at_offset(receivers, at);
    if (same_envelope(receive->envelope, envelope) &&
        atomic_load_explicit(&receive->state, memory_order_relaxed) == RECEIVE_POSTED && skip-- == 0)
      return receive;
    at = atomic_load_explicit(&receive->next, memory_order_acquire);
  }
  return NULL;
}

struct receive *sender_match(struct sender *sender, struct segment *receivers, uint64_t position) {
  struct inbox *inbox = sender->inbox;
  struct receive *receive = NULL;
  if (atomic_load_explicit(&inbox->consumed, memory_order_acquire) > position)
    return NULL; /* the receiver knows the message; no need to disturb its lock */
  inbox_lock(inbox);
  uint64_t consumed = atomic_load_explicit(&inbox->consumed, memory_order_relaxed);
  if (consumed <= position) {
    struct cell *cell = unconsumed_cell(sender, position);
    struct envelope envelope = cell->envelope;
    receive = find_posted(inbox, receivers, envelope, count_before(sender, consumed, position, envelope));
    if (receive) {
      atomic_store_explicit(&receive->state, RECEIVE_PUSHING, memory_order_relaxed);
      receive->crosses = envelopes_cross(receive->envelope, envelope);
      uint32_t word = atomic_load_explicit(&cell->word, memory_order_relaxed);
      atomic_store_explicit(&cell->word, (word & ~UINT32_C(0xff)) | CELL_SKIP, memory_order_relaxed);
    }
  }
  inbox_unlock(inbox);
  return receive;
}

struct receive *sender_take(struct sender *sender, struct segment *receivers, struct envelope envelope,
                            uint64_t bytes) {
  struct inbox *inbox = sender->inbox;
  if (sender->mpi_only || !atomic_load_explicit(&inbox->posted[bucket_of(envelope)], memory_order_relaxed))
    return NULL;
  inbox_lock(inbox);
  uint64_t consumed = atomic_load_explicit(&inbox->consumed, memory_order_relaxed);
  uint64_t before = count_before(sender, consumed, sender->position, envelope);
  struct receive *receive = find_posted(inbox, receivers, envelope, before);
  bool takes = receive && receive->offset && receive->capacity >= bytes;
  if (takes) {
    atomic_store_explicit(&receive->state, RECEIVE_PUSHING, memory_order_relaxed);
    receive->crosses = envelopes_cross(receive->envelope, envelope);
  }
  inbox_unlock(inbox);
  return takes ? receive : NULL;
}

void sender_give_back(struct sender *sender, struct receive *receive) {
  inbox_lock(sender->inbox);
  receive_hand_over(receive, RECEIVE_POSTED);
  inbox_unlock(sender->inbox);
}

/* The same of what was announced through MPI. */
static uint64_t count_left_before(const struct sender *sender, uint64_t from, uint64_t position,
                                  struct envelope envelope) {
  uint64_t count = 0;
  for (uint64_t at = from > sender->left_start ? from : sender->left_start; at < position; at++)
    count += same_envelope(sender->left[at - sender->left_base], envelope);
  return count;
}

bool sender_is_met(struct sender *sender, struct segment *receivers, struct envelope envelope, uint64_t position) {
  struct inbox *inbox = sender->inbox;
  bool was_left = sender->mpi_only && position >= sender->left_start;
  if ((was_left && sender->left_lost) || atomic_load_explicit(&inbox->consumed, memory_order_acquire) > position)
    return false;
  inbox_lock(inbox);
  uint64_t consumed = atomic_load_explicit(&inbox->consumed, memory_order_relaxed);
  bool met = false;
  if (consumed <= position) {
    uint64_t cells = was_left ? sender->left_start - 1 /* where CELL_MPI_ONLY stands */ : position;
    uint64_t before = count_before(sender, consumed, cells, envelope);
    if (was_left)
      before += count_left_before(sender, consumed, position, envelope);
    met = find_posted(inbox, receivers, envelope, before) != NULL;
  }
  inbox_unlock(inbox);
  return met;
}

void receive_hand_over(struct receive *receive, enum receive_state state) {
  atomic_store_explicit(&receive->state, state, memory_order_release);
}

/* ---- The board. ---- */

static bool accepts_from(const struct receive *receive, struct envelope envelope, unsigned source) {
  struct envelope wanted = receive->envelope;
  if (wanted.tag == TAG_ANY)
    wanted.tag = envelope.tag;
  return same_envelope(wanted, envelope) && (receive->source < 0 || receive->source == (int)source);
}

/* The first receive for a message of this sender's that none of its messages before has got: not those before `from`,
 * which keep what they have claimed, nor those that were looked at since. */
static struct receive *find_on_board(struct segment *receivers, struct envelope envelope, unsigned source,
                                     uint64_t from) {
  for (struct receive *at = board_oldest(receivers); at; at = board_newer(receivers, at)) {
    bool is_free = at->claimer < 0 || (at->claimer == (int)source && at->position >= from);
    if (is_free && !at->got && accepts_from(at, envelope, source))
      return at;
  }
  return NULL;
}

/* Whether a message has a posted receive. (Those before it are counted only where there is any.) */
static bool is_posted(struct sender *sender, struct segment *receivers, uint64_t consumed, uint64_t at) {
  struct envelope envelope = unconsumed_cell(sender, at)->envelope;
  return find_posted(sender->inbox, receivers, envelope, 0) &&
         find_posted(sender->inbox, receivers, envelope, count_before(sender, consumed, at, envelope));
}

/* Goes through the messages that the rank has not seen, up to the one at `position`. A posted receive of the inbox
 * comes first: it was posted before what is on the board, or matches nothing there. What has a receive keeps it, so
 * that messages before which all others have one need not be looked at again. Under both locks. */
static bool claim_up_to(struct sender *sender, struct segment *receivers, unsigned own_rank, uint64_t consumed,
                        uint64_t position) {
  if (sender->voided != receivers->board.voided)
    sender->settled = 0;
  sender->voided = receivers->board.voided;
  uint64_t from = sender->settled > consumed ? sender->settled : consumed;
  bool settled = true;
  if (position < from)
    return board_has_claim(receivers, (int)own_rank, position);
  for (struct receive *each = board_oldest(receivers); each; each = board_newer(receivers, each))
    each->got = false;
  for (uint64_t at = from; at <= position; at++) {
    struct cell *cell = unconsumed_cell(sender, at);
    struct receive *receive = NULL;
    bool needs = holds_message(cell) && !is_posted(sender, receivers, consumed, at);
    if (needs)
      receive = find_on_board(receivers, cell->envelope, own_rank, from);
    if (receive) {
      receive->got = true;
      receive->claimer = (int)own_rank;
      receive->position = at;
    }
    settled = settled && (!needs || receive);
    if (settled)
      sender->settled = at + 1;
    if (at == position)
      return receive != NULL;
  }
  return false;
}

/* Under the lock of the board. */
static bool claim_unseen(struct sender *sender, struct segment *receivers, unsigned own_rank, uint64_t position) {
  if (!receivers->board.oldest || receivers->board.hidden || sender->mpi_only)
    return false;
  inbox_lock(sender->inbox);
  uint64_t consumed = atomic_load_explicit(&sender->inbox->consumed, memory_order_relaxed);
  bool claimed = consumed <= position && claim_up_to(sender, receivers, own_rank, consumed, position);
  inbox_unlock(sender->inbox);
  return claimed;
}

bool sender_claim(struct sender *sender, struct segment *receivers, unsigned own_rank, uint64_t position) {
  if (!board_try_lock(&receivers->board))
    return false;
  bool seen = atomic_load_explicit(&sender->inbox->consumed, memory_order_acquire) > position;
  bool claimed =
      seen ? board_has_claim(receivers, (int)own_rank, position) : claim_unseen(sender, receivers, own_rank, position);
  board_unlock(&receivers->board);
  return claimed;
}
