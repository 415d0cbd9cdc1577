/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The sender's side of a channel: writing cells into the ring, and the memory of eager messages.
 */
#include "base/copy.h"
#include "channel/channel.h"

#include <stdlib.h>
#include <string.h>

enum {
  /* In a window that is small for its number of ranks, less at first (see `modest`), but no less than a page. */
  FIRST_RING_CELLS = 256,
  LEAST_BYTES = 4096,
  LAST_RING_CELLS = 1 << 22, /* so that the positions in the words of its cells do not repeat within a round */
  /* More than a first-level cache holds: a line written again while both caches still hold it costs twice as much
   * (docs/runtime.md). */
  FIRST_EAGER_BYTES = 256 << 10,
  /* Where messages are longer than that, each of their lines costs more than all else. Used in turn with more than a
   * second-level cache holds, it is written when the receiver's cache has forgotten it, at a third of the cost. */
  LONG_MESSAGE = 2 << 10,
  LONG_EAGER_BYTES = 2 << 20,
  /* But to commit a line costs about as much as that does in so many rounds: before it has seen them, less is used. */
  FIRST_TURN_BYTES = 16 << 10,
  ROUNDS = 4,
  LOOK_BYTES = 2 << 10, /* whether a round may end is looked at so often at most: that is a line of the receiver's */
  /* The memory of eager messages grows so many times; when it is full, messages become rendezvous. */
  GROWN_EAGER = 4
};

void sender_init(struct sender *sender, struct segment *own, struct segment *receivers, struct heap *heap,
                 unsigned own_rank) {
  memset(sender, 0, sizeof *sender);
  sender->segment = own;
  sender->inbox = &inboxes(receivers)[own_rank];
  sender->heap = heap;
}

void sender_destroy(struct sender *sender) {
  while (sender->retired) {
    struct retired *retired = sender->retired;
    sender->retired = retired->next;
    free(retired);
  }
  free(sender->eager_end);
  free(sender->left);
}

/* ---- Memory that cells are done with. ---- */

COLD static bool retire_memory(struct sender *sender, struct retired what) {
  struct retired *retired = malloc(sizeof *retired), **tail = &sender->retired;
  if (!retired)
    return false;
  *retired = what;
  while (*tail)
    tail = &(*tail)->next;
  *tail = retired;
  return true;
}

/* The last free cell of a ring is kept for the jump (or for sender_leave). */
static void set_limit(struct sender *sender) {
  uint64_t free_from = sender->consumed > sender->start ? sender->consumed : sender->start;
  sender->limit = sender->ring && !sender->mpi_only ? free_from + sender->cells - 1 : 0;
}

/* Looks how far the receiver is. */
NOINLINE static void refresh_consumed(struct sender *sender) {
  sender->consumed = atomic_load_explicit(&sender->inbox->consumed, memory_order_acquire);
  set_limit(sender);
  uint64_t tail = 0;
  if (sender->consumed > sender->start)
    tail = sender->eager_end[(sender->consumed - 1 - sender->start) & (sender->cells - 1)];
  else if (sender->consumed == sender->start)
    tail = sender->eager_base;
  if (tail > sender->eager_tail) /* else it was rewound since then */
    sender->eager_tail = tail;
  while (sender->retired && sender->retired->until <= sender->consumed) {
    struct retired *retired = sender->retired;
    sender->retired = retired->next;
    heap_free(sender->heap, retired->memory);
    free(retired);
  }
}

/* ---- The ring. ---- */

/* Makes the cell at the current position, the index-th of the ring, visible: what was written to it, and beside the
 * ring for it, is there for a receiver that has read its word, acquire. What the caller has in registers it hands on.
 */
static inline void publish_cell(struct sender *sender, struct cell *cell, uint64_t index, uint64_t position,
                                enum cell_kind kind) {
  sender->eager_end[index] = sender->eager_head;
  atomic_store_explicit(&cell->word, cell_word(kind, position), memory_order_release);
  sender->position = position + 1;
}

static void publish(struct sender *sender, enum cell_kind kind) {
  struct cell *cell = sender_cell(sender, sender->position);
  publish_cell(sender, cell, (uint64_t)(cell - sender->ring), sender->position, kind);
}

/* So much of `bytes`, by halves, that every rank of the node could be sent to with it from half the heap. */
static uint64_t modest(const struct sender *sender, uint64_t bytes) {
  uint64_t ranks = 1 + sender->segment->heap / sizeof(struct inbox);
  while (bytes > LEAST_BYTES && 2 * ranks * bytes > (uint64_t)sender->heap->pages << HEAP_PAGE_SHIFT)
    bytes /= 2;
  return bytes;
}

/* Continues in a new ring. */
COLD static bool grow_ring(struct sender *sender) {
  uint64_t cells = sender->ring ? 2 * sender->cells : modest(sender, (uint64_t)FIRST_RING_CELLS * LINE) / LINE;
  if (cells > LAST_RING_CELLS)
    return false;
  uint64_t *eager_end = malloc(cells * sizeof *eager_end);
  struct cell *ring = eager_end ? heap_allocate(sender->heap, cells * LINE) : NULL;
  if (!ring || (sender->ring && !retire_memory(sender, (struct retired){.memory = sender->ring,
                                                                        .start = sender->start,
                                                                        .cells = sender->cells,
                                                                        .until = sender->position + 1}))) {
    if (ring)
      heap_free(sender->heap, ring);
    free(eager_end);
    return false;
  }
  memset(ring, 0, cells * LINE); /* no lap yet */
  if (sender->ring) {
    struct cell *cell = sender_cell(sender, sender->position);
    cell->u.ref.offset = offset_of(sender->segment, ring);
    cell->u.ref.cells = cells;
    publish(sender, CELL_JUMP);
  } else {
    sender->inbox->ring_cells = cells;
    atomic_store_explicit(&sender->inbox->ring, offset_of(sender->segment, ring), memory_order_release);
  }
  free(sender->eager_end);
  sender->eager_end = eager_end;
  sender->ring = ring;
  sender->cells = cells;
  sender->start = sender->position;
  sender->eager_base = sender->eager_head;
  set_limit(sender);
  return true;
}

COLD static bool find_room(struct sender *sender) {
  if (sender->mpi_only)
    return false;
  if (sender->ring)
    refresh_consumed(sender);
  return sender->position < sender->limit || grow_ring(sender);
}

/* The next cell, or NULL. */
static inline struct cell *make_room(struct sender *sender) {
  return sender->position < sender->limit || find_room(sender) ? sender_cell(sender, sender->position) : NULL;
}

/* ---- Memory of eager messages. ---- */

/* Where memory of `size` bytes, a power of two, begins: at the head, or the next time behind it. */
static uint64_t next_start(uint64_t head, uint64_t size) { return (head + size - 1) & ~(size - 1); }

/* Whether a round is over is to be looked at after so many bytes. */
static void look_after(struct sender *sender, uint64_t bytes) { sender->eager_look = sender->eager_head + bytes; }

/* Commits it up to `end`, or further. False on shortage. */
COLD static bool commit_eager(struct sender *sender, uint64_t end) {
  uint64_t committed = sender->eager_committed;
  while (committed < end)
    committed *= 2;
  if (!heap_commit(sender->heap, sender->eager, committed))
    return false;
  sender->eager_committed = committed;
  return true;
}

/* Memory of `size` bytes, of which `turn` are used at first, once the cells that need the present one are consumed. */
COLD static bool replace_eager(struct sender *sender, uint64_t size, uint64_t turn) {
  unsigned char *memory = heap_reserve(sender->heap, size);
  if (!memory)
    return false;
  if (!heap_commit(sender->heap, memory, turn) ||
      (sender->eager && !retire_memory(sender, (struct retired){.memory = sender->eager, .until = sender->position}))) {
    heap_free(sender->heap, memory);
    return false;
  }
  sender->eager = memory;
  sender->eager_bytes = size;
  sender->eager_turn = sender->eager_committed = turn;
  /* Counting goes on; what earlier cells hold lies elsewhere, and the head starts at a multiple of the size. */
  sender->eager_head = next_start(sender->eager_head, size);
  sender->eager_tail = sender->eager_base = sender->eager_head;
  look_after(sender, turn);
  for (uint64_t i = 0; i < sender->cells; i++)
    sender->eager_end[i] = sender->eager_head;
  return true;
}

/* More, since `bytes` do not fit. */
COLD static bool grow_eager(struct sender *sender, size_t bytes) {
  uint64_t first = modest(sender, FIRST_EAGER_BYTES), size = sender->eager ? 2 * sender->eager_bytes : first;
  while (size < 2 * bytes)
    size *= 2;
  bool fits = size <= GROWN_EAGER * first || (size < 4 * bytes && size <= (uint64_t)GROWN_EAGER * FIRST_EAGER_BYTES);
  uint64_t turn = sender->eager ? sender->eager_turn : size < FIRST_TURN_BYTES ? size : FIRST_TURN_BYTES;
  bool is_first = !sender->eager;
  if (!fits || !replace_eager(sender, size, turn))
    return false;
  if (is_first)
    sender->eager_first = size;
  return true;
}

/* More to be used in turn by long messages. */
COLD static bool widen_eager(struct sender *sender) {
  uint64_t size = modest(sender, LONG_EAGER_BYTES);
  if (sender->eager_first >= size || (sender->eager_bytes < size && !replace_eager(sender, size, sender->eager_turn)))
    return false;
  sender->eager_first = size;
  return true;
}

/* One more round. After some of them a turn takes twice as much, until it takes all that there is to be. */
static void count_round(struct sender *sender) {
  bool are_long = sender->eager_turn > LONG_MESSAGE * (sender->position - sender->eager_began);
  sender->eager_began = sender->position;
  if (++sender->eager_rounds < ROUNDS)
    return;
  sender->eager_rounds = 0;
  if (sender->eager_turn == sender->eager_first && !(are_long && widen_eager(sender)))
    return;
  if (2 * sender->eager_turn <= sender->eager_committed || commit_eager(sender, 2 * sender->eager_turn))
    sender->eager_turn *= 2;
}

static void begin_eager_round(struct sender *sender) {
  count_round(sender);
  look_after(sender, sender->eager_turn);
}

/* Goes back to the start, if as much as there was at first is free there: at first all of it, so that the head meets
 * nothing that waits. What is used in turn with memory that has grown is in no cache when its turn comes. */
static void rewind_eager(struct sender *sender) {
  refresh_consumed(sender);
  uint64_t size = sender->eager_bytes, start = next_start(sender->eager_head, size);
  if (sender->eager_tail == sender->eager_head)
    sender->eager_tail = start;
  if (start + sender->eager_first - sender->eager_tail <= size) {
    sender->eager_head = start;
    begin_eager_round(sender);
  } else {
    look_after(sender, size > sender->eager_first ? 0 : LOOK_BYTES);
  }
}

/* A round may be over. Where all memory is used in turn, the head goes back by itself. */
COLD static void end_eager_round(struct sender *sender) {
  if (sender->eager_turn == sender->eager_bytes)
    begin_eager_round(sender);
  else
    rewind_eager(sender);
}

/* Where a message of `bytes` goes, in one piece; moves the head. NULL: there is no room, or no memory behind it. */
static unsigned char *fit_eager(struct sender *sender, size_t bytes) {
  uint64_t size = sender->eager_bytes /* a power of two */, n = (bytes + LINE - 1) / LINE * LINE,
           head = sender->eager_head;
  if (!sender->eager || n > size)
    return NULL;
  if ((head & (size - 1)) + n > size)
    head = next_start(head, size);
  uint64_t end = (head & (size - 1)) + n;
  if (head + n - sender->eager_tail > size || (end > sender->eager_committed && !commit_eager(sender, end)))
    return NULL;
  sender->eager_head = head + n;
  return sender->eager + (head & (size - 1));
}

/* Where it does not fit as it is, or where it is time to look whether the head may go back. */
NOINLINE static unsigned char *make_eager_room(struct sender *sender, size_t bytes) {
  if (sender->eager && sender->eager_head >= sender->eager_look)
    end_eager_round(sender);
  unsigned char *place = fit_eager(sender, bytes);
  if (place)
    return place;
  refresh_consumed(sender);
  place = fit_eager(sender, bytes);
  return place || !grow_eager(sender, bytes) ? place : fit_eager(sender, bytes);
}

/* What is committed does not reach past the end. Before the first memory there is nothing to look at, nor to commit. */
static inline unsigned char *reserve_eager(struct sender *sender, size_t bytes) {
  uint64_t size = sender->eager_bytes, head = sender->eager_head, n = (bytes + LINE - 1) / LINE * LINE,
           at = head & (size - 1);
  if (UNLIKELY(head >= sender->eager_look || at + n > sender->eager_committed || head + n - sender->eager_tail > size))
    return make_eager_room(sender, bytes);
  sender->eager_head = head + n;
  return sender->eager + at;
}

/* ---- Sending. ---- */

void *sender_reserve(struct sender *sender, size_t bytes) {
  if (sender->position >= sender->limit && !find_room(sender))
    return NULL;
  return bytes <= INLINE_BYTES ? sender_cell(sender, sender->position)->u.payload : reserve_eager(sender, bytes);
}

/* The cell is written only now, all of it: a receiver that waits reads it all the time, and would take the line away
 * between what is written before the payload and what after it. */
void sender_publish(struct sender *sender, struct envelope envelope, const void *place, size_t bytes) {
  uint64_t position = sender->position, index = (position - sender->start) & (sender->cells - 1);
  struct cell *cell = &sender->ring[index];
  bool is_inline = bytes <= INLINE_BYTES;
  if (!is_inline)
    cell->u.ref.offset = offset_of(sender->segment, place);
  cell->envelope = envelope;
  cell->bytes = (uint32_t)bytes;
  publish_cell(sender, cell, index, position, is_inline ? CELL_INLINE : CELL_EAGER);
}

bool sender_put(struct sender *sender, struct envelope envelope, const void *data, size_t bytes) {
  uint64_t position = sender->position;
  if (UNLIKELY(position >= sender->limit))
    return false;
  uint64_t index = (position - sender->start) & (sender->cells - 1);
  struct cell *cell = &sender->ring[index];
  cell->envelope = envelope;
  copy_bytes(cell->u.payload, data, bytes);
  cell->bytes = (uint32_t)bytes;
  publish_cell(sender, cell, index, position, CELL_INLINE);
  return true;
}

bool sender_offer(struct sender *sender, struct envelope envelope, const struct rendezvous *rendezvous,
                  uint64_t *position) {
  struct cell *cell = make_room(sender);
  if (!cell)
    return false;
  cell->envelope = envelope;
  cell->u.ref.offset = offset_of(sender->segment, rendezvous);
  *position = sender->position;
  publish(sender, CELL_RENDEZVOUS);
  return true;
}

bool sender_announce_mpi(struct sender *sender, struct envelope envelope, uint64_t bytes, uint64_t *position) {
  struct cell *cell = make_room(sender);
  if (!cell)
    return false;
  cell->envelope = envelope;
  cell->u.ref.bytes = bytes;
  *position = sender->position;
  publish(sender, CELL_MPI);
  return true;
}

void sender_leave(struct sender *sender) {
  if (sender->mpi_only)
    return;
  sender->mpi_only = true;
  sender->limit = 0;
  if (sender->ring) {
    publish(sender, CELL_MPI_ONLY);
  } else {
    sender->position = 1; /* as if there had been a cell */
    atomic_store_explicit(&sender->inbox->ring, RING_NONE, memory_order_release);
  }
  sender->left_start = sender->left_base = sender->position;
}

/* Room for one more; what the receiver knows makes room first. */
static bool make_room_left(struct sender *sender) {
  uint64_t consumed = atomic_load_explicit(&sender->inbox->consumed, memory_order_acquire);
  uint64_t known = consumed > sender->left_base ? consumed - sender->left_base : 0;
  if (known > sender->left_count / 2) {
    sender->left_count -= known;
    sender->left_base += known;
    memmove(sender->left, sender->left + known, sender->left_count * sizeof *sender->left);
  }
  if (sender->left_count < sender->left_room)
    return true;
  uint64_t room = sender->left_room ? 2 * sender->left_room : 16;
  struct envelope *left = realloc(sender->left, room * sizeof *left);
  if (!left)
    return false;
  sender->left = left;
  sender->left_room = room;
  return true;
}

uint64_t sender_note_left(struct sender *sender, struct envelope envelope) {
  if (!sender->left_lost && make_room_left(sender))
    sender->left[sender->left_count++] = envelope;
  else
    sender->left_lost = true;
  return sender->position++;
}
