/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The receiver's side of a channel: posting receives, consuming the ring, keeping unexpected messages.
 */
#include "channel.h"

#include <stdlib.h>
#include <string.h>

void receiver_init(struct receiver *receiver, struct segment *own, struct segment *senders, unsigned senders_rank,
                   arrive_function *arrive) {
  memset(receiver, 0, sizeof *receiver);
  receiver->segment = own;
  receiver->senders = senders;
  receiver->inbox = &inboxes(own)[senders_rank];
  receiver->arrive = arrive;
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

/* ---- Posted receives; all under the inbox's lock. ---- */

static void link_receive(struct receiver *receiver, struct receive *receive) {
  struct chain *chain = &receiver->inbox->posted[bucket_of(receive->envelope)];
  uint64_t offset = offset_of(receiver->segment, receive);
  receive->next = 0;
  if (chain->tail)
    ((struct receive *)at_offset(receiver->segment, chain->tail))->next = offset;
  else
    chain->head = offset;
  chain->tail = offset;
}

/* Unlinks and returns the oldest receive with this envelope; or `only`, if that is given. */
static struct receive *unlink_receive(struct receiver *receiver, struct envelope envelope, struct receive *only) {
  struct chain *chain = &receiver->inbox->posted[bucket_of(envelope)];
  struct receive *previous = NULL;
  for (uint64_t at = chain->head; at;) {
    struct receive *receive = at_offset(receiver->segment, at);
    if (only ? receive == only : same_envelope(receive->envelope, envelope)) {
      if (previous)
        previous->next = receive->next;
      else
        chain->head = receive->next;
      if (chain->tail == at)
        chain->tail = previous ? offset_of(receiver->segment, previous) : 0;
      return receive;
    }
    previous = receive;
    at = receive->next;
  }
  return NULL;
}

/* ---- Unexpected messages; private. ---- */

static void keep_unexpected(struct receiver *receiver, struct envelope envelope, const struct arrival *arrival) {
  size_t payload = arrival->data ? arrival->bytes : 0;
  struct unexpected *message = malloc(sizeof *message + payload);
  if (!message)
    abort(); /* as any MPI library: there is no way to refuse a message that was sent */
  message->next = NULL;
  message->envelope = envelope;
  message->arrival = *arrival;
  if (payload)
    memcpy(message->payload, arrival->data, payload);
  unsigned bucket = bucket_of(envelope);
  *receiver->unexpected_tail[bucket] = message;
  receiver->unexpected_tail[bucket] = &message->next;
  receiver->unexpected_count++;
}

static struct unexpected *take_unexpected(struct receiver *receiver, struct envelope envelope) {
  unsigned bucket = bucket_of(envelope);
  for (struct unexpected **link = &receiver->unexpected[bucket]; *link; link = &(*link)->next)
    if (same_envelope((*link)->envelope, envelope)) {
      struct unexpected *message = *link;
      *link = message->next;
      if (receiver->unexpected_tail[bucket] == &message->next)
        receiver->unexpected_tail[bucket] = link;
      receiver->unexpected_count--;
      return message;
    }
  return NULL;
}

/* ---- Posting. ---- */

void receiver_post(struct receiver *receiver, struct receive *receive) {
  atomic_store_explicit(&receive->state, RECEIVE_POSTED, memory_order_relaxed);
  struct unexpected *message = receiver->unexpected_count ? take_unexpected(receiver, receive->envelope) : NULL;
  if (message) {
    if (message->arrival.data)
      message->arrival.data = message->payload;
    receiver->arrive(receive, &message->arrival);
    free(message);
  } else if (receiver->mpi_only) {
    receiver->arrive(receive, &(struct arrival){.kind = CELL_MPI_ONLY});
  } else {
    inbox_lock(receiver->inbox);
    link_receive(receiver, receive);
    inbox_unlock(receiver->inbox);
  }
}

/* ---- Consuming. ---- */

static void enter_ring(struct receiver *receiver, uint64_t offset, uint64_t cells) {
  receiver->ring = at_offset(receiver->senders, offset);
  receiver->cells = cells;
  receiver->shift = (unsigned)__builtin_ctzll(cells);
  receiver->start = receiver->position;
}

static void leave_to_mpi(struct receiver *receiver) {
  receiver->mpi_only = true;
  for (int i = 0; i < BUCKETS; i++) {
    struct chain *chain = &receiver->inbox->posted[i];
    while (chain->head) {
      struct receive *receive = at_offset(receiver->segment, chain->head);
      chain->head = receive->next;
      receiver->arrive(receive, &(struct arrival){.kind = CELL_MPI_ONLY});
    }
    chain->tail = 0;
  }
}

/* The next cell, and the kind of what the sender has put there; CELL_NONE before it has. */
static enum cell_kind next_kind(const struct receiver *receiver, struct cell **cell) {
  uint64_t index = receiver->position - receiver->start;
  *cell = &receiver->ring[index & (receiver->cells - 1)];
  uint32_t word = atomic_load_explicit(&(*cell)->word, memory_order_acquire);
  enum cell_kind kind = (enum cell_kind)(word & 0xff);
  return word == cell_word(kind, index >> receiver->shift) ? kind : CELL_NONE;
}

/* Hands the message to its receive, or keeps it. */
static void match_cell(struct receiver *receiver, const struct cell *cell, enum cell_kind kind) {
  struct arrival arrival = {.kind = kind, .bytes = cell->bytes};
  if (kind == CELL_RENDEZVOUS) {
    arrival.rendezvous = at_offset(receiver->senders, cell->u.ref.offset);
    arrival.bytes = arrival.rendezvous->bytes;
  } else if (kind == CELL_MPI) {
    arrival.bytes = cell->u.ref.bytes;
  } else {
    arrival.data =
        kind == CELL_INLINE ? (const void *)cell->u.payload : at_offset(receiver->senders, cell->u.ref.offset);
  }
  struct receive *receive = unlink_receive(receiver, cell->envelope, NULL);
  if (receive)
    receiver->arrive(receive, &arrival);
  else
    keep_unexpected(receiver, cell->envelope, &arrival);
}

/* One cell; false when there is none. */
static bool consume(struct receiver *receiver) {
  struct cell *cell;
  enum cell_kind kind = next_kind(receiver, &cell);
  switch (kind) {
  case CELL_NONE:
    return false;
  case CELL_MPI_ONLY:
    if (!receiver->mpi_only)
      leave_to_mpi(receiver);
    return false;
  case CELL_JUMP:
    receiver->position++;
    enter_ring(receiver, cell->u.ref.offset, cell->u.ref.cells);
    return true;
  case CELL_SKIP:
    break;
  default:
    match_cell(receiver, cell, kind);
  }
  receiver->position++;
  return true;
}

/* Finds the first ring; under the lock. */
static bool connect(struct receiver *receiver) {
  uint64_t offset = atomic_load_explicit(&receiver->inbox->ring, memory_order_acquire);
  if (offset == RING_NONE && !receiver->mpi_only)
    leave_to_mpi(receiver);
  if (offset == 0 || offset == RING_NONE)
    return false;
  enter_ring(receiver, offset, receiver->inbox->ring_cells);
  return true;
}

/* Under the lock. */
static void consume_all(struct receiver *receiver) {
  if (!receiver->ring && !connect(receiver))
    return;
  while (consume(receiver)) {
  }
  /* Inside the lock: a sender that matches by itself must see exactly which cells are left. */
  atomic_store_explicit(&receiver->inbox->consumed, receiver->position, memory_order_release);
}

/* The common case of polling: one load, no lock. */
static bool something_has_come(const struct receiver *receiver) {
  struct cell *cell;
  if (receiver->mpi_only)
    return false;
  if (!receiver->ring)
    return atomic_load_explicit(&receiver->inbox->ring, memory_order_relaxed) != 0;
  return next_kind(receiver, &cell) != CELL_NONE;
}

bool receiver_drain(struct receiver *receiver) {
  if (!something_has_come(receiver))
    return false;
  inbox_lock(receiver->inbox);
  uint64_t before = receiver->position;
  consume_all(receiver);
  inbox_unlock(receiver->inbox);
  return receiver->position != before;
}

bool receiver_withdraw(struct receiver *receiver, struct receive *receive) {
  inbox_lock(receiver->inbox);
  consume_all(receiver);
  bool found = unlink_receive(receiver, receive->envelope, receive) != NULL;
  inbox_unlock(receiver->inbox);
  return found;
}
