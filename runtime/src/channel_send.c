/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The sender's side of a channel: writing cells into the ring, growing it, and matching by itself.
 */
#include "channel.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_RING_LINES = 64,
  /* A ring grows this far for payloads. Beyond, larger messages become rendezvous; only heads of cells make it grow. */
  PAYLOAD_RING_LINES = (1 << 20) / LINE
};

void sender_init(struct sender *sender, struct segment *own, struct segment *receivers, struct heap *heap,
                 unsigned own_rank) {
  memset(sender, 0, sizeof *sender);
  sender->segment = own;
  sender->inbox = &inboxes(receivers)[own_rank];
  sender->heap = heap;
}

void sender_destroy(struct sender *sender) {
  while (sender->old) {
    struct old_ring *ring = sender->old;
    sender->old = ring->next;
    free(ring);
  }
}

static struct cell *cell_at(struct sender *sender, uint64_t position) {
  return &sender->ring[(position - sender->start) & (sender->lines - 1)];
}

static uint32_t word_of(enum cell_kind kind, uint64_t lines) { return (uint32_t)kind | (uint32_t)(lines << 8); }

/* Makes the cell at the current position visible. The next head is emptied first: the receiver must find "not yet
 * written" there, not what an earlier payload left. */
static void publish(struct sender *sender, enum cell_kind kind, uint64_t lines) {
  struct cell *cell = cell_at(sender, sender->position);
  sender->position += lines;
  atomic_store_explicit(&cell_at(sender, sender->position)->word, CELL_EMPTY, memory_order_relaxed);
  atomic_store_explicit(&cell->word, word_of(kind, lines), memory_order_release);
}

/* Looks how far the receiver is, and gives rings back that it has left. */
static void refresh_consumed(struct sender *sender) {
  sender->consumed = atomic_load_explicit(&sender->inbox->consumed, memory_order_acquire);
  while (sender->old) {
    struct old_ring *ring = sender->old;
    uint64_t end = ring->next ? ring->next->start : sender->start;
    if (sender->consumed < end)
      return;
    heap_free(sender->heap, ring->cells);
    sender->old = ring->next;
    free(ring);
  }
}

static struct cell *new_ring(struct sender *sender, uint64_t lines) {
  struct cell *cells = heap_allocate(sender->heap, lines * LINE);
  if (cells)
    atomic_store_explicit(&cells->word, CELL_EMPTY, memory_order_relaxed);
  return cells;
}

static bool first_ring(struct sender *sender, uint64_t lines) {
  struct cell *cells = new_ring(sender, lines);
  if (!cells)
    return false;
  sender->ring = cells;
  sender->lines = lines;
  sender->inbox->ring_lines = lines;
  atomic_store_explicit(&sender->inbox->ring, offset_of(sender->segment, cells), memory_order_release);
  return true;
}

/* Continues in a larger ring. The head that the jump takes is always free: publish() keeps one. */
static bool jump(struct sender *sender, uint64_t lines) {
  struct old_ring *old = malloc(sizeof *old), **tail = &sender->old;
  struct cell *cells = old ? new_ring(sender, lines) : NULL;
  if (!cells) {
    free(old);
    return false;
  }
  *old = (struct old_ring){.cells = sender->ring, .lines = sender->lines, .start = sender->start};
  while (*tail)
    tail = &(*tail)->next;
  *tail = old;

  struct cell *cell = cell_at(sender, sender->position);
  cell->u.ref.offset = offset_of(sender->segment, cells);
  cell->u.ref.lines = lines;
  sender->position += 1;
  sender->start = sender->position;
  sender->ring = cells;
  sender->lines = lines;
  atomic_store_explicit(&cell->word, word_of(CELL_JUMP, 1), memory_order_release);
  return true;
}

/* Lines that a cell of `lines` takes at the current position: a cell never wraps, so the ring's end may have to be
 * skipped; and the next head must be free. */
static uint64_t lines_needed(const struct sender *sender, uint64_t lines) {
  uint64_t to_end = sender->lines - ((sender->position - sender->start) & (sender->lines - 1));
  return (lines > to_end ? to_end : 0) + lines + 1;
}

static bool has_room(const struct sender *sender, uint64_t lines) {
  uint64_t consumed = sender->consumed > sender->start ? sender->consumed : sender->start;
  return sender->lines - (sender->position - consumed) >= lines_needed(sender, lines);
}

static bool grow(struct sender *sender, uint64_t lines) {
  uint64_t size = sender->ring ? sender->lines * 2 : FIRST_RING_LINES;
  while (size < 2 * lines + 2)
    size *= 2;
  if (lines > 1 && size > PAYLOAD_RING_LINES)
    return false;
  return sender->ring ? jump(sender, size) : first_ring(sender, size);
}

/* The place for a cell of `lines` lines, or NULL. */
static struct cell *make_room(struct sender *sender, uint64_t lines) {
  if (sender->mpi_only)
    return NULL;
  if (!sender->ring || !has_room(sender, lines)) {
    refresh_consumed(sender);
    if ((!sender->ring || !has_room(sender, lines)) && !grow(sender, lines))
      return NULL;
  }
  uint64_t to_end = sender->lines - ((sender->position - sender->start) & (sender->lines - 1));
  if (lines > to_end)
    publish(sender, CELL_SKIP, to_end);
  return cell_at(sender, sender->position);
}

static uint64_t eager_lines(size_t bytes) { return bytes <= INLINE_BYTES ? 1 : 1 + (bytes + LINE - 1) / LINE; }

void *sender_reserve(struct sender *sender, struct envelope envelope, size_t bytes) {
  struct cell *cell = make_room(sender, eager_lines(bytes));
  if (!cell)
    return NULL;
  cell->envelope = envelope;
  cell->bytes = (uint32_t)bytes;
  return bytes <= INLINE_BYTES ? (void *)cell->u.payload : (void *)(cell + 1);
}

void sender_publish(struct sender *sender) {
  size_t bytes = cell_at(sender, sender->position)->bytes;
  publish(sender, bytes <= INLINE_BYTES ? CELL_INLINE : CELL_EAGER, eager_lines(bytes));
}

bool sender_offer(struct sender *sender, struct envelope envelope, const struct rendezvous *rendezvous,
                  uint64_t *position) {
  struct cell *cell = make_room(sender, 1);
  if (!cell)
    return false;
  cell->envelope = envelope;
  cell->u.ref.offset = offset_of(sender->segment, rendezvous);
  *position = sender->position;
  publish(sender, CELL_RENDEZVOUS, 1);
  return true;
}

bool sender_announce_mpi(struct sender *sender, struct envelope envelope, uint64_t bytes) {
  struct cell *cell = make_room(sender, 1);
  if (!cell)
    return false;
  cell->envelope = envelope;
  cell->u.ref.bytes = bytes;
  publish(sender, CELL_MPI, 1);
  return true;
}

void sender_leave(struct sender *sender) {
  if (sender->mpi_only)
    return;
  sender->mpi_only = true;
  if (sender->ring)
    atomic_store_explicit(&cell_at(sender, sender->position)->word, word_of(CELL_MPI_ONLY, 1), memory_order_release);
  else
    atomic_store_explicit(&sender->inbox->ring, RING_NONE, memory_order_release);
}

/* ---- Matching by the sender. ---- */

/* The cell at a position that the receiver has not consumed: it still stands in the ring or in an older one. */
static struct cell *unconsumed_cell(struct sender *sender, uint64_t position) {
  for (struct old_ring *ring = sender->old; ring; ring = ring->next)
    if (position >= ring->start && position < (ring->next ? ring->next->start : sender->start))
      return &ring->cells[(position - ring->start) & (ring->lines - 1)];
  return cell_at(sender, position);
}

/* How many unconsumed messages before `position` carry `envelope`: that many posted receives are theirs. */
static uint64_t count_before(struct sender *sender, uint64_t from, uint64_t position, struct envelope envelope) {
  uint64_t count = 0;
  for (uint64_t at = from; at < position;) {
    struct cell *cell = unconsumed_cell(sender, at);
    uint32_t word = atomic_load_explicit(&cell->word, memory_order_relaxed);
    enum cell_kind kind = (enum cell_kind)(word & 0xff);
    if (kind != CELL_SKIP && kind != CELL_JUMP && same_envelope(cell->envelope, envelope))
      count++;
    at += word >> 8;
  }
  return count;
}

/* Unlinks the receive that follows `skip` others of the same envelope. Receives that lie outside the segment mean
 * nothing here: the search ends at the first. */
static struct receive *unlink_matching(struct chain *chain, struct segment *receivers, struct envelope envelope,
                                       uint64_t skip) {
  struct receive *previous = NULL;
  for (uint64_t at = chain->head; at && at < receivers->bytes;) {
    struct receive *receive = at_offset(receivers, at);
    if (same_envelope(receive->envelope, envelope) && skip-- == 0) {
      if (previous)
        previous->next = receive->next;
      else
        chain->head = receive->next;
      if (chain->tail == at)
        chain->tail = previous ? offset_of(receivers, previous) : 0;
      return receive;
    }
    previous = receive;
    at = receive->next;
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
    struct chain *chain = &inbox->posted[bucket_of(cell->envelope)];
    if (chain->head)
      receive = unlink_matching(chain, receivers, cell->envelope,
                                count_before(sender, consumed, position, cell->envelope));
    if (receive) {
      atomic_store_explicit(&receive->state, RECEIVE_PUSHING, memory_order_relaxed);
      atomic_store_explicit(&cell->word, word_of(CELL_SKIP, 1), memory_order_relaxed);
    }
  }
  inbox_unlock(inbox);
  return receive;
}

void receive_hand_over(struct receive *receive, enum receive_state state) {
  atomic_store_explicit(&receive->state, state, memory_order_release);
}
