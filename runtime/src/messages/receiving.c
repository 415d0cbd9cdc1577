/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The receive side of a message: posting it, copying what has come, from cells, from the window, from the sender's
 * process.
 */
#include "messages/receiving.h"
#include "base/copy.h"
#include "channel/reach.h"
#include "messages/staging.h"
#include "messages/through_mpi.h"
#include "messages/wildcards.h"
#include "mpishm.h"
#include "node/program_heap.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 << 10 };

/* Receives that `arrive` matched under the inbox's lock and that need more than a copy of a cell. Handled right after,
 * by receives_finish_matched. */
static struct operation *matched, **matched_tail = &matched;

static void add_matched(struct operation *op) {
  op->matched_next = NULL;
  *matched_tail = op;
  matched_tail = &op->matched_next;
}

/* ---- Delivery. ---- */

#ifdef OPEN_MPI
enum { STATUS_COUNTS_ALL = true }; /* of a message that is too long for its receive: also what is left of it */
#else
enum { STATUS_COUNTS_ALL = false }; /* MPICH 4.0.2's is whatever stood there before */
#endif

/* How much of a message fits. */
static inline size_t clip_to(struct operation *op, uint64_t capacity, uint64_t bytes) {
  op->bytes = bytes;
  if (UNLIKELY(bytes > capacity)) {
    bytes = capacity;
    op->bytes = STATUS_COUNTS_ALL ? op->bytes : bytes;
    op->error = MPI_ERR_TRUNCATE;
  }
  return (size_t)bytes;
}

static inline size_t clip(struct operation *op, uint64_t bytes) { return clip_to(op, op->receive->capacity, bytes); }

static inline void deliver(struct operation *op, uint64_t capacity, const void *data, uint64_t bytes) {
  size_t n = clip_to(op, capacity, bytes);
  if (op->piece)
    copy_bytes(op->piece, data, n);
  else if (n)
    layout_unpack(op->layout, op->buffer, 0, data, n);
}

/* From the private memory of the sender's process; in pieces when our own buffer is scattered. */
static bool deliver_from_process(struct operation *op, uint64_t address, uint64_t bytes) {
  if (op->endpoint->segment == mpishm.segment) { /* a message to oneself */
    deliver(op, op->receive->capacity, (const void *)(uintptr_t)address, bytes);
    return true;
  }
  size_t n = clip(op, bytes);
  if (op->piece)
    return reach_read(op->endpoint->pid, address, op->piece, n);
  char *chunk = malloc(CHUNK_BYTES);
  bool ok = chunk != NULL;
  for (size_t at = 0; ok && at < n; at += CHUNK_BYTES) {
    size_t piece = n - at < CHUNK_BYTES ? n - at : CHUNK_BYTES;
    ok = reach_read(op->endpoint->pid, address + at, chunk, piece);
    if (ok)
      layout_unpack(op->layout, op->buffer, at, chunk, piece);
  }
  free(chunk);
  return ok;
}

static enum path path_of_fetch(const struct operation *op) {
  if (rendezvous_look(op->fetch) == RENDEZVOUS_STAGED)
    return PATH_STAGED;
  return op->fetch->offset || op->endpoint->segment == mpishm.segment ? PATH_WINDOW : PATH_KERNEL;
}

static bool fetched(struct operation *op) {
  op->path = path_of_fetch(op);
  rendezvous_finish(op->fetch);
  op->fetch = NULL;
  return op->done = true;
}

/* Copies a message that was claimed where it lies scattered in the window. */
static bool fetch_scattered(struct operation *op) {
  const struct described_layout *described = at_offset(op->endpoint->segment, op->fetch->offset);
  struct layout layout = layout_of_described(described);
  const void *buffer = displaced(op->endpoint->segment, (MPI_Aint)described->base);
  size_t n = clip(op, op->fetch->bytes);
  if (op->piece)
    layout_pack(&layout, buffer, 0, op->piece, n);
  else
    layout_transfer(op->layout, op->buffer, &layout, buffer, n);
  return fetched(op);
}

/* Copies what is there of a message that was claimed in the window. False when the sender is still putting it there. */
static bool fetch_from_window(struct operation *op) {
  if (UNLIKELY(op->fetch->described))
    return fetch_scattered(op);
  const char *from = at_offset(op->endpoint->segment, op->fetch->offset);
  size_t n = clip(op, op->fetch->bytes), ready = (size_t)rendezvous_ready(op->fetch);
  if (ready > n)
    ready = n;
  if (ready < n && !op->piece && !layout_divides(op->layout))
    return false;
  bool counts = op->fetch->timed && (ready == n || sends_under_way(op->endpoint));
  uint64_t since = counts ? watch_clock() : 0;
  if (ready > op->fetched) {
    if (op->piece)
      copy_bytes(op->piece + op->fetched, from + op->fetched, ready - op->fetched);
    else
      layout_unpack(op->layout, op->buffer, op->fetched, from + op->fetched, ready - op->fetched);
    op->fetched = ready;
  }
  if (counts)
    op->fetch->spent += watch_clock() - since;
  return ready == n && fetched(op);
}

/* What it costs the sender, too, whose next stores into its buffer meet lines that this core has read: seen by no clock
 * of ours. The less the longer the message is, since it does not stay in the sender's caches. */
static uint64_t by_kernel_in_all(uint64_t nanoseconds, uint64_t bytes) {
  enum { STAY_BYTES = 64 << 10 };
  return nanoseconds + nanoseconds / 2 * STAY_BYTES / (bytes > STAY_BYTES ? bytes : STAY_BYTES);
}

/* Copies a message that was claimed in the sender's process. False when the sender must stage it first. */
static bool fetch_from_process(struct operation *op) {
  uint64_t since = op->fetch->timed ? watch_clock() : 0;
  if (deliver_from_process(op, op->fetch->address, op->fetch->bytes)) {
    if (since)
      op->fetch->spent = by_kernel_in_all(watch_clock() - since, op->fetch->bytes);
    return fetched(op);
  }
  kernel_copy_failed();
  rendezvous_refuse(op->fetch);
  return false;
}

/* From here on the message is one that MPI brings. */
static bool fetch_from_mpi(struct operation *op) {
  struct rendezvous *rendezvous = op->fetch;
  op->by_mpi = true;
  op->bytes = rendezvous->bytes;
  op->position = rendezvous->position;
  op->fetch = NULL;
  rendezvous_finish(rendezvous);
  payload_receive(op);
  return op->done;
}

/* Copies a rendezvous that this receive was matched to. False when that must wait for the sender. */
static bool fetch(struct operation *op) {
  switch (rendezvous_claim(op->fetch)) {
  case CLAIM_WINDOW:
    return fetch_from_window(op);
  case CLAIM_PROCESS:
    return fetch_from_process(op);
  case CLAIM_MPI:
    return fetch_from_mpi(op);
  default:
    return false;
  }
}

/* Several messages of one sender, all claimed in its process, with one call of the kernel. */
struct fetch_batch {
  struct reach_batch reach;
  struct operation *ops[REACH_BATCH];
  bool timed; /* one of them is */
};

static void fetch_batch_flush(struct fetch_batch *batch) {
  uint64_t since = batch->timed ? watch_clock() : 0;
  bool ok = batch->reach.count > 1 && reach_read_batch(&batch->reach);
  double spent = batch->timed ? (double)(watch_clock() - since) / (double)(batch->reach.bytes + 1) : 0;
  for (unsigned i = 0; i < batch->reach.count; i++)
    if (ok) {
      size_t bytes = batch->reach.here[i].iov_len;
      batch->ops[i]->fetch->spent = by_kernel_in_all((uint64_t)(spent * (double)bytes), bytes);
      fetched(batch->ops[i]);
    } else {
      fetch_from_process(batch->ops[i]);
    }
  batch->reach.count = 0;
  batch->reach.bytes = 0;
  batch->timed = false;
}

/* Fetches now, or adds to the batch. */
static void fetch_batch_add(struct fetch_batch *batch, struct operation *op) {
  bool alone = !op->piece || op->endpoint->segment == mpishm.segment;
  enum claim claim = alone ? CLAIM_LATER : rendezvous_claim(op->fetch);
  if (claim != CLAIM_PROCESS) {
    if (claim == CLAIM_WINDOW)
      fetch_from_window(op);
    else if (claim == CLAIM_MPI)
      fetch_from_mpi(op);
    else if (alone)
      fetch(op);
    return;
  }
  struct reach_batch *reach = &batch->reach;
  if (reach->count == REACH_BATCH || (reach->count && reach->pid != op->endpoint->pid))
    fetch_batch_flush(batch);
  reach->pid = op->endpoint->pid;
  size_t n = clip(op, op->fetch->bytes);
  reach->here[reach->count] = (struct iovec){op->piece, n};
  reach->there[reach->count] = (struct iovec){(void *)(uintptr_t)op->fetch->address, n};
  reach->bytes += n;
  batch->timed |= op->fetch->timed;
  batch->ops[reach->count++] = op;
}

/* ---- Receiving. ---- */

void receive_arrive(struct receive *receive, const struct arrival *arrival, bool crosses) {
  struct operation *op = receive->owner;
  if (UNLIKELY(crosses)) /* else it stays false, as written with its neighbours */
    op->crosses = true;
  switch (arrival->kind) {
  case CELL_INLINE:
  case CELL_EAGER:
    deliver(op, receive->capacity, arrival->data, arrival->bytes);
    op->done = true;
    return;
  case CELL_RENDEZVOUS:
    op->fetch = arrival->rendezvous;
    add_matched(op);
    return;
  default: /* CELL_MPI */
    op->by_mpi = true;
    op->bytes = arrival->bytes;
    op->position = arrival->position;
    add_matched(op);
  }
}

HOT bool receives_match(struct receiver *receiver, const struct receive *wanted) {
  return receiver_drain(receiver, wanted, receive_arrive);
}

void receives_finish_matched(void) {
  struct fetch_batch batch;
  batch.reach.count = 0;
  batch.reach.bytes = 0;
  batch.timed = false;
  while (matched) {
    struct operation *op = matched;
    matched = op->matched_next;
    if (!matched)
      matched_tail = &matched;
    if (op->by_mpi)
      payload_receive(op);
    else
      fetch_batch_add(&batch, op);
  }
  fetch_batch_flush(&batch);
}

/* Records where the program's buffers are. */
static void borrow_receives(void) {
  enum { BORROWED_BYTES = 16 << 10 };
  void *block = MPISHM_Window_allocate(LINE, BORROWED_BYTES);
  if (block)
    slab_add(&mpishm.receive_slab, at_offset(mpishm.segment, buffer_offset(block, BORROWED_BYTES)), BORROWED_BYTES);
}

/* A receive record in the window if there is room, so that the sender can match it; else in private memory. */
COLD static struct receive *receive_allocate(void) {
  struct receive *receive = slab_allocate(&mpishm.receive_slab);
  if (!receive) {
    borrow_receives();
    receive = slab_allocate(&mpishm.receive_slab);
  }
  if (receive)
    return receive;
  receive = aligned_alloc(LINE, sizeof *receive);
  if (!receive)
    abort(); /* out of private memory: as malloc's callers in MPI libraries do */
  count_unmatchable(1);
  wildcards_hide();
  return receive;
}

void receive_free(struct receive *receive) {
  if (offset_inside(mpishm.segment, receive, sizeof *receive)) {
    slab_free(&mpishm.receive_slab, receive);
    return;
  }
  count_unmatchable(-1);
  free(receive);
}

static void deliver_unexpected(struct receive *receive, struct unexpected *message) {
  receive_arrive(receive, &message->arrival, envelopes_cross(receive->envelope, message->envelope));
  free(message);
}

void receive_post(struct operation *op) {
  struct unexpected *message = receiver_post(&op->endpoint->receiver, op->receive);
  if (UNLIKELY(message != NULL))
    deliver_unexpected(op->receive, message);
}

void receive_give(struct operation *op, const struct unexpected *message) {
  deliver_unexpected(op->receive, receiver_take(&op->endpoint->receiver, message));
}

static inline void prepare(struct operation *op, struct route route, struct envelope envelope, void *buffer,
                           MPI_Count count, int source, const struct origin *by) {
  if (!op->receive) /* always in a blocking call */
    op->receive = slab_take(&mpishm.receive_slab);
  if (UNLIKELY(!op->receive))
    op->receive = receive_allocate();
  operation_begin(op, route, envelope, buffer, count, source);
  receive_fill(op, op->receive, envelope, op->piece, route.bytes, by);
}

void receive_start(struct operation *op, struct route route, struct envelope envelope, void *buffer, MPI_Count count,
                   MPI_Datatype datatype, int source, const struct origin *by) {
  prepare(op, route, envelope, buffer, count, source, by);
  if (UNLIKELY(!route.endpoint || route.communicator->waiting) && wildcards_hold(op, datatype))
    return;
  receive_post(op);
  if (UNLIKELY(matched != NULL))
    receives_finish_matched();
}

void receive_held(struct operation *op, struct route route, struct envelope envelope, void *buffer, MPI_Count count,
                  int source, struct unexpected *message) {
  prepare(op, route, envelope, buffer, count, source, &unrewritten);
  atomic_store_explicit(&op->receive->state, RECEIVE_POSTED, memory_order_relaxed);
  deliver_unexpected(op->receive, message);
  if (matched)
    receives_finish_matched();
}

/* Nothing has matched it, or its sender has given it back. */
static bool withdraw(struct operation *op) {
  if (!wildcards_withdraw(op))
    return false;
  op->bytes = 0;
  return op->cancelled = op->done = true;
}

/* Cancelled while its sender packed there. */
COLD static bool recalled(struct operation *op) { return receive_look(op->receive) == RECEIVE_POSTED && withdraw(op); }

/* What the sender did with a receive that it matched itself. */
static bool poll_matched_by_sender(struct operation *op) {
  switch (receive_look(op->receive)) {
  case RECEIVE_DONE:
    receiver_forget(&op->endpoint->receiver, op->receive);
    op->crosses = op->receive->crosses;
    clip(op, op->receive->bytes);
    op->path = (enum path)op->receive->path;
    return op->done = true;
  case RECEIVE_MATCHED:
    receiver_forget(&op->endpoint->receiver, op->receive);
    op->crosses = op->receive->crosses;
    op->fetch = at_offset(op->endpoint->segment, op->receive->rendezvous);
    atomic_store_explicit(&op->receive->state, RECEIVE_POSTED, memory_order_relaxed);
    return fetch(op);
  default:
    return UNLIKELY(atomic_load_explicit(&op->receive->recalled, memory_order_relaxed)) && recalled(op);
  }
}

/* MPI has received the message: into a copy, or where it belongs. */
void receive_take_payload(struct operation *op) {
  if (op->copy)
    deliver(op, op->receive->capacity, op->copy, op->bytes);
  else
    clip(op, op->bytes);
}

bool receive_poll(struct operation *op) {
  if (op->fetch)
    return fetch(op);
  if (UNLIKELY(op->waiting)) {
    wildcards_advance(op->communicator);
    return op->done;
  }
  endpoint_drain(op->endpoint, op->receive);
  if (matched)
    receives_finish_matched();
  return op->done || (!op->by_mpi && !op->fetch && poll_matched_by_sender(op));
}

void receive_cancel(struct operation *op) {
  if (op->waiting)
    wildcards_cancel(op); /* or posts it, since what it waited behind is matched */
  if (op->waiting || op->done)
    return;
  endpoint_drain(op->endpoint, NULL);
  if (!withdraw(op) && !op->done)
    atomic_store_explicit(&op->receive->recalled, 1, memory_order_relaxed);
  if (matched) /* what has come is received first */
    receives_finish_matched();
}
