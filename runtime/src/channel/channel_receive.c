/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The receiver's side of a channel: posting receives, consuming the ring, keeping unexpected messages.
 */
#include "base/copy.h"
#include "channel/channel.h"

#include <stdlib.h>
#include <string.h>

void receiver_init(struct receiver *receiver, struct segment *own, struct segment *senders, unsigned senders_rank,
                   uint64_t *kept) {
  memset(receiver, 0, sizeof *receiver);
  receiver->segment = own;
  receiver->senders = senders;
  receiver->inbox = &inboxes(own)[senders_rank];
  receiver->kept = kept;
  receiver->keeps_none = true;
  for (int i = 0; i < BUCKETS; i++)
    receiver->unexpected_tail[i] = &receiver->unexpected[i];
}

void receiver_destroy(struct receiver *receiver) {
  for (int i = 0; i < BUCKETS; i++)
    while (receiver->unexpected[i]) {
      struct unexpected *message = receiver->unexpected[i];
      receiver->unexpected[i] = message->next;
      free(message);
    }
}

/* ---- Posted receives. ---- */

static uint64_t load_link(_Atomic uint64_t *link) { return atomic_load_explicit(link, memory_order_relaxed); }

/* At the end of its chain. Without the lock: a sender that is looking sees the chain with or without it. */
void receiver_link(struct receiver *receiver, struct receive *receive, struct envelope envelope) {
  unsigned bucket = bucket_of(envelope);
  struct receive *tail = receiver->posted_tail[bucket];
  _Atomic uint64_t *link = tail ? &tail->next : &receiver->inbox->posted[bucket];
  atomic_store_explicit(&receive->state, RECEIVE_POSTED, memory_order_relaxed);
  atomic_store_explicit(&receive->recalled, 0, memory_order_relaxed);
  atomic_store_explicit(&receive->next, 0, memory_order_relaxed);
  atomic_store_explicit(link, offset_of(receiver->segment, receive), memory_order_release);
  receiver->posted_tail[bucket] = receive;
}

/* Takes out the receive that `link` leads to; `previous` is the one that holds this link, NULL: the inbox does. Under
 * the lock. */
static void unlink_receive(struct receiver *receiver, unsigned bucket, _Atomic uint64_t *link, struct receive *receive,
                           struct receive *previous) {
  atomic_store_explicit(link, load_link(&receive->next), memory_order_relaxed);
  if (receiver->posted_tail[bucket] == receive)
    receiver->posted_tail[bucket] = previous;
}

static bool unmatched(struct receive *receive) {
  return atomic_load_explicit(&receive->state, memory_order_relaxed) == RECEIVE_POSTED;
}

/* Takes out and returns the oldest unmatched receive with this envelope, or NULL. Under the lock. */
static struct receive *take_receive(struct receiver *receiver, struct envelope envelope) {
  unsigned bucket = bucket_of(envelope);
  _Atomic uint64_t *link = &receiver->inbox->posted[bucket];
  struct receive *previous = NULL;
  for (uint64_t at; (at = load_link(link)) != 0; link = &previous->next) {
    struct receive *receive = at_offset(receiver->segment, at);
    if (same_envelope(receive->envelope, envelope) && unmatched(receive)) {
      unlink_receive(receiver, bucket, link, receive, previous);
      return receive;
    }
    previous = receive;
  }
  return NULL;
}

/* Takes out this receive if it is linked. Under the lock. */
static bool take_this(struct receiver *receiver, struct receive *wanted) {
  unsigned bucket = bucket_of(wanted->envelope);
  _Atomic uint64_t *link = &receiver->inbox->posted[bucket];
  struct receive *previous = NULL;
  for (uint64_t at; (at = load_link(link)) != 0; link = &previous->next) {
    struct receive *receive = at_offset(receiver->segment, at);
    if (receive == wanted) {
      unlink_receive(receiver, bucket, link, receive, previous);
      return true;
    }
    previous = receive;
  }
  return false;
}

/* ---- Unexpected messages; private. ---- */

COLD static void keep_unexpected(struct receiver *receiver, struct envelope envelope, const struct arrival *arrival) {
  size_t payload = arrival->data ? arrival->bytes : 0;
  struct unexpected *message = malloc(sizeof *message + payload);
  if (!message)
    abort(); /* as any MPI library: there is no way to refuse a message that was sent */
  message->next = NULL;
  message->envelope = envelope;
  message->order = (*receiver->kept)++;
  message->arrival = *arrival;
  if (payload)
    memcpy(message->payload, arrival->data, payload);
  unsigned bucket = bucket_of(envelope);
  *receiver->unexpected_tail[bucket] = message;
  receiver->unexpected_tail[bucket] = &message->next;
  receiver->unexpected_count++;
  receiver->keeps_none = false;
}

/* The first of a bucket, which is the oldest. */
static struct unexpected **find_unexpected(struct unexpected **link, struct envelope envelope) {
  while (*link && (((*link)->envelope.context ^ envelope.context) > CONTEXT_UNREWRITTEN ||
                   (envelope.tag != TAG_ANY && (*link)->envelope.tag != envelope.tag)))
    link = &(*link)->next;
  return link;
}

/* The same among those that are not before `order`. */
static const struct unexpected *find_from(struct unexpected *first, struct envelope envelope, uint64_t order) {
  const struct unexpected *found = *find_unexpected(&first, envelope);
  while (found && found->order < order) {
    struct unexpected *next = found->next;
    found = *find_unexpected(&next, envelope);
  }
  return found;
}

static struct unexpected *take_unexpected(struct receiver *receiver, struct unexpected **link) {
  struct unexpected *message = *link;
  unsigned bucket = bucket_of(message->envelope);
  *link = message->next;
  if (receiver->unexpected_tail[bucket] == &message->next)
    receiver->unexpected_tail[bucket] = link;
  receiver->keeps_none = --receiver->unexpected_count == 0;
  if (message->arrival.data)
    message->arrival.data = message->payload;
  return message;
}

NOINLINE static struct unexpected *receive_unexpected(struct receiver *receiver, struct envelope envelope) {
  struct unexpected **link = find_unexpected(&receiver->unexpected[bucket_of(envelope)], envelope);
  return *link ? take_unexpected(receiver, link) : NULL;
}

const struct unexpected *receiver_peek(const struct receiver *receiver, struct envelope envelope, uint64_t order) {
  unsigned first = envelope.tag == TAG_ANY ? 0 : bucket_of(envelope);
  unsigned last = envelope.tag == TAG_ANY ? BUCKETS - 1 : first;
  const struct unexpected *oldest = NULL;
  for (unsigned bucket = first; receiver->unexpected_count && bucket <= last; bucket++) {
    const struct unexpected *found = find_from(receiver->unexpected[bucket], envelope, order);
    if (found && (!oldest || found->order < oldest->order))
      oldest = found;
  }
  return oldest;
}

struct unexpected *receiver_take(struct receiver *receiver, const struct unexpected *message) {
  struct unexpected **link = &receiver->unexpected[bucket_of(message->envelope)];
  while (*link != message)
    link = &(*link)->next;
  return take_unexpected(receiver, link);
}

/* ---- Posting. ---- */

struct unexpected *receiver_post(struct receiver *receiver, struct receive *receive) {
  struct unexpected *message = receiver->unexpected_count ? receive_unexpected(receiver, receive->envelope) : NULL;
  if (message)
    atomic_store_explicit(&receive->state, RECEIVE_POSTED, memory_order_relaxed);
  else
    receiver_link(receiver, receive, receive->envelope);
  return message;
}

void receiver_forget(struct receiver *receiver, struct receive *receive) {
  inbox_lock(receiver->inbox);
  take_this(receiver, receive);
  inbox_unlock(receiver->inbox);
}

/* ---- Consuming. ---- */

static void enter_ring(struct receiver *receiver, uint64_t offset, uint64_t cells) {
  receiver->ring = at_offset(receiver->senders, offset);
  receiver->cells = cells;
  receiver->start = receiver->position;
}

/* Under the lock. Counts as one cell, with a ring and without. */
COLD static void leave_ring(struct receiver *receiver) {
  receiver->mpi_only = true;
  receiver->position++;
  atomic_store_explicit(&receiver->inbox->consumed, receiver->position, memory_order_release);
}

/* The next cell, and the kind of what the sender has put there; CELL_NONE before it has. */
static enum cell_kind next_kind(const struct receiver *receiver, struct cell **cell) {
  *cell = &receiver->ring[(receiver->position - receiver->start) & (receiver->cells - 1)];
  uint32_t word = atomic_load_explicit(&(*cell)->word, memory_order_acquire);
  enum cell_kind kind = (enum cell_kind)(word & 0xff);
  return word == cell_word(kind, receiver->position) ? kind : CELL_NONE;
}

/* Who has messages matched, and what for: until `wanted` has got one, and then as long as each has a receive; NULL: all
 * that have come. What stays in the ring is copied once, when its receive is there, and not kept. */
struct drain {
  arrive_function *arrive;
  const struct receive *wanted;
  bool is_met; /* it has got one */
};

static inline void drain_into(struct drain *drain, struct receive *receive, const struct arrival *arrival,
                              bool crosses) {
  drain->is_met |= receive == drain->wanted;
  drain->arrive(receive, arrival, crosses);
}

/* Hands the message to its receive, or keeps it. False: neither, it may stay where it is. */
static inline bool match(struct receiver *receiver, struct envelope envelope, const struct arrival *arrival,
                         struct drain *drain) {
  struct receive *receive = take_receive(receiver, envelope);
  if (receive)
    drain_into(drain, receive, arrival, envelopes_cross(receive->envelope, envelope));
  else if (drain->is_met)
    return false;
  else
    keep_unexpected(receiver, envelope, arrival);
  return true;
}

static inline bool match_cell(struct receiver *receiver, const struct cell *cell, enum cell_kind kind,
                              struct drain *drain) {
  struct arrival arrival = {
      .kind = kind, .bytes = cell->bytes, .position = receiver->position, .data = cell->u.payload};
  if (kind == CELL_EAGER) {
    arrival.data = at_offset(receiver->senders, cell->u.ref.offset);
  } else if (kind == CELL_RENDEZVOUS) {
    arrival.rendezvous = at_offset(receiver->senders, cell->u.ref.offset);
    arrival.bytes = arrival.rendezvous->bytes;
    arrival.data = NULL;
  } else if (kind == CELL_MPI) {
    arrival.bytes = cell->u.ref.bytes;
    arrival.data = NULL;
  }
  return match(receiver, cell->envelope, &arrival, drain);
}

/* One cell that is not a message to be matched; false when nothing is to be consumed. */
COLD static bool consume_other(struct receiver *receiver, const struct cell *cell, enum cell_kind kind) {
  switch (kind) {
  case CELL_MPI_ONLY:
    leave_ring(receiver);
    return false;
  case CELL_JUMP:
    receiver->position++;
    enter_ring(receiver, cell->u.ref.offset, cell->u.ref.cells);
    return true;
  default: /* CELL_SKIP */
    receiver->position++;
    return true;
  }
}

/* One cell; false when there is none, or none that is to be consumed. */
static inline bool consume(struct receiver *receiver, struct drain *drain) {
  struct cell *cell;
  enum cell_kind kind = next_kind(receiver, &cell);
  if (kind == CELL_NONE)
    return false;
  if (UNLIKELY(kind > CELL_MPI))
    return consume_other(receiver, cell, kind);
  if (!match_cell(receiver, cell, kind, drain))
    return false;
  receiver->position++;
  return true;
}

/* Finds the first ring; under the lock. */
COLD static bool connect(struct receiver *receiver) {
  uint64_t offset = atomic_load_explicit(&receiver->inbox->ring, memory_order_acquire);
  if (offset == RING_NONE && !receiver->mpi_only)
    leave_ring(receiver);
  if (offset == 0 || offset == RING_NONE)
    return false;
  enter_ring(receiver, offset, receiver->inbox->ring_cells);
  return true;
}

/* Cells whose message lies in the window and is that of the oldest receive of its chain, as nearly all are, up to one
 * that is otherwise. Under the lock. */
static inline void consume_data(struct receiver *receiver, struct drain *drain) {
  struct cell *ring = receiver->ring;
  struct inbox *inbox = receiver->inbox;
  struct segment *own = receiver->segment;
  uint64_t start = receiver->start, mask = receiver->cells - 1, position = receiver->position;
  for (;; position++) {
    const struct cell *cell = &ring[(position - start) & mask];
    uint32_t kind = atomic_load_explicit(&cell->word, memory_order_acquire) - cell_word(CELL_NONE, position);
    if (kind != CELL_INLINE && kind != CELL_EAGER)
      break;
    struct envelope envelope = cell->envelope;
    unsigned bucket = bucket_of(envelope);
    uint64_t at = load_link(&inbox->posted[bucket]);
    struct receive *receive = at_offset(own, at);
    if (UNLIKELY(!at))
      break;
    uint64_t differs = envelope_bits(receive->envelope) ^ envelope_bits(envelope); /* see same_envelope */
    if (UNLIKELY(differs > CONTEXT_UNREWRITTEN || !unmatched(receive)))
      break;
    unlink_receive(receiver, bucket, &inbox->posted[bucket], receive, NULL);
    struct arrival arrival = {.kind = CELL_INLINE, .bytes = cell->bytes, .position = position, .data = cell->u.payload};
    if (UNLIKELY(kind == CELL_EAGER)) {
      arrival.kind = CELL_EAGER;
      arrival.data = at_offset(receiver->senders, cell->u.ref.offset);
    }
    drain_into(drain, receive, &arrival, differs != 0);
  }
  receiver->position = position;
}

/* Under the lock. */
static inline void consume_all(struct receiver *receiver, struct drain *drain) {
  if (UNLIKELY(!receiver->ring) && !connect(receiver))
    return;
  do
    consume_data(receiver, drain);
  while (consume(receiver, drain));
  /* Inside the lock: a sender that matches by itself must see exactly which cells are left. */
  atomic_store_explicit(&receiver->inbox->consumed, receiver->position, memory_order_release);
}

bool receiver_has_something(const struct receiver *receiver) {
  struct cell *cell;
  if (receiver->mpi_only)
    return false;
  if (!receiver->ring)
    return atomic_load_explicit(&receiver->inbox->ring, memory_order_relaxed) != 0;
  return next_kind(receiver, &cell) != CELL_NONE;
}

bool receiver_drain(struct receiver *receiver, const struct receive *wanted, arrive_function *arrive) {
  struct drain drain = {arrive, wanted, false};
  if (!receiver_has_something(receiver))
    return false;
  inbox_lock(receiver->inbox);
  uint64_t before = receiver->position;
  consume_all(receiver, &drain);
  inbox_unlock(receiver->inbox);
  return receiver->position != before;
}

/* Looking and copying need no lock: nobody else posts, and no sender takes back a message that lies in the window. What
 * is consumed changes inside it, as in consume_all. */
bool receiver_take_next(struct receiver *receiver, struct envelope envelope, void *buffer, uint64_t capacity,
                        uint64_t *bytes) {
  struct inbox *inbox = receiver->inbox;
  if (UNLIKELY(!receiver->ring))
    return false;
  struct cell *cell;
  enum cell_kind kind = next_kind(receiver, &cell);
  if ((kind != CELL_INLINE && kind != CELL_EAGER) || envelope_bits(cell->envelope) != envelope_bits(envelope) ||
      cell->bytes > capacity || load_link(&inbox->posted[bucket_of(envelope)]))
    return false;
  *bytes = cell->bytes;
  copy_bytes(buffer, kind == CELL_INLINE ? cell->u.payload : at_offset(receiver->senders, cell->u.ref.offset), *bytes);
  inbox_lock(inbox);
  atomic_store_explicit(&inbox->consumed, ++receiver->position, memory_order_release);
  inbox_unlock(inbox);
  return true;
}

void receiver_announced(struct receiver *receiver, struct envelope envelope, uint64_t bytes, arrive_function *arrive) {
  struct arrival arrival = {.kind = CELL_MPI, .bytes = bytes, .position = receiver->position};
  struct drain drain = {arrive, NULL, false};
  inbox_lock(receiver->inbox);
  match(receiver, envelope, &arrival, &drain);
  receiver->position++;
  atomic_store_explicit(&receiver->inbox->consumed, receiver->position, memory_order_release);
  inbox_unlock(receiver->inbox);
}

bool receiver_withdraw(struct receiver *receiver, struct receive *receive, arrive_function *arrive) {
  struct drain drain = {arrive, NULL, false};
  inbox_lock(receiver->inbox);
  consume_all(receiver, &drain);
  bool taken = unmatched(receive) && take_this(receiver, receive);
  inbox_unlock(receiver->inbox);
  return taken;
}
