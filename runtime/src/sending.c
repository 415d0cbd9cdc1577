/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One message: the send side. Whichever way it goes, a standard send is finished without its receiver, and a pair that
 * both sides have posted is finished by either of them:
 *
 * - A small message is copied into a cell; it is done.
 *
 * - A large one whose buffer others can reach becomes a rendezvous on that buffer. The receiver copies, or this rank
 * when it finds the receive posted; when it waits and nobody comes, it stages the message.
 *
 * - One that they cannot reach, or only by the kernel though it is not very large, becomes a rendezvous on a staged
 * copy; it is done.
 *
 * - Without memory for that it goes through MPI (through_mpi.c), from a private copy; it is done.
 */
#include "copy.h"
#include "operations.h"
#include "reach.h"

#include <string.h>
#include <time.h>

/* A send that waits looks for its receive at its first poll, at every MATCH_EVERYth, and at each once it has waited so
 * long that polls have become rare. It stages its message after about the time that the copy would take, which is at
 * most twice the best choice in hindsight (the ski rental argument). */
enum { MATCH_EVERY = 32, MATCH_ALWAYS_AFTER = 1000, STAGE_NS = 20000, STAGE_BYTES_PER_NS = 4 };

/* The receiver learns in steps of so many bytes what is staged: a part that is still in the first-level cache, or near.
 */
enum { FOLLOWED_BYTES = 32 << 10 };

/* Unmatched messages up to this size, more than the eager limit of any MPI library, are copied to private memory where
 * the window is full. */
enum { COPY_BYTES = 4 << 20 };

/* Finished for the program, but the window still holds them. */
static struct operation *staged_list, **staged_tail = &staged_list;
static size_t staged_count;
/* So many of them are looked at when a message starts, which adds one, and when the window is full. All of them would
 * make a flood of messages cost its square. */
enum { RECLAIM_AT_START = 8, RECLAIM_IF_FULL = 64 };

static size_t staged_bytes; /* of messages that the window holds now */

static void *staged_allocate(size_t bytes) {
  void *memory = heap_allocate(&mpishm.heap, bytes);
  if (!memory) {
    reclaim_staged(RECLAIM_IF_FULL);
    memory = heap_allocate(&mpishm.heap, bytes);
  }
  if (memory)
    staged_bytes += bytes;
  return memory;
}

static void staged_free(void *memory, size_t bytes) {
  if (!memory)
    return;
  heap_free(&mpishm.heap, memory);
  staged_bytes -= bytes;
}

static void release_rendezvous(struct operation *op) {
  if (op->rendezvous) {
    staged_free(op->staged, op->rendezvous->bytes);
    slab_free(&mpishm.rendezvous_slab, op->rendezvous);
  }
  free(op->copy);
  op->staged = NULL;
  op->rendezvous = NULL;
  op->copy = NULL;
}

/* Whether a send is done as soon as its buffer is free, the message being in the window or in a copy that the kernel
 * can read: its receiver may sit in a call of MPI and never come to fetch it before this send has completed. */
static bool may_leave(const struct operation *op) { return !op->synchronous || op->matched; }

static void staged_append(struct operation *rest) {
  rest->next = NULL;
  *staged_tail = rest;
  staged_tail = &rest->next;
  staged_count++;
}

/* Such a send is done; what it holds waits for the receiver without it. */
static bool leave_staged(struct operation *op) {
  struct operation *rest = malloc(sizeof *rest);
  if (!rest)
    return false;
  *rest = (struct operation){
      .is_send = true, .rendezvous = op->rendezvous, .staged = op->staged, .copy = op->copy, .mpi = MPI_REQUEST_NULL};
  staged_append(rest);
  op->rendezvous = NULL;
  op->staged = NULL;
  op->copy = NULL;
  return op->done = true;
}

static bool leave_copy(struct operation *op) {
  if (!left_sends_add(op->copy, op->mpi))
    return false;
  op->mpi = MPI_REQUEST_NULL;
  op->copy = NULL;
  return op->done = true;
}

void reclaim_staged(size_t most) {
  for (size_t left = most < staged_count ? most : staged_count; left > 0 && staged_list; left--) {
    struct operation *rest = staged_list;
    bool done = rendezvous_look(rest->rendezvous) == RENDEZVOUS_DONE;
    staged_list = rest->next;
    if (!staged_list)
      staged_tail = &staged_list;
    staged_count--;
    if (done) {
      release_rendezvous(rest);
      free(rest);
    } else {
      staged_append(rest);
    }
  }
}

void sends_drain(void) {
  struct waiter waiter = {0};
  /* Staged messages stay readable until MPI_Win_free, which waits for all; the others need this rank. */
  for (bool pending = true; pending; waiter_pause(&waiter)) {
    reclaim_staged(staged_count);
    pending = left_sends_poll();
    pending = orphans_poll() || pending;
  }
}

void sends_discard(void) {
  while (staged_list) {
    struct operation *rest = staged_list;
    staged_list = rest->next;
    free(rest->copy);
    free(rest);
  }
  staged_tail = &staged_list;
  staged_count = 0;
  left_sends_discard();
}

/* ---- Starting. ---- */

void gather(const struct layout *layout, const void *buffer, size_t count, void *to, size_t bytes) {
  char *start;
  if (layout_piece(layout, count, buffer, &start))
    copy_bytes(to, start, bytes); /* an empty message may have no buffer */
  else if (bytes)
    layout_pack(layout, buffer, 0, to, bytes);
}

/* The same, of a message that was started, or a part of it. */
static void pack_part(const struct operation *op, size_t position, void *to, size_t bytes) {
  if (op->piece)
    copy_bytes(to, op->piece + position, bytes);
  else if (bytes)
    layout_pack(op->layout, op->buffer, position, to, bytes);
}
static void pack(const struct operation *op, void *to) { pack_part(op, 0, to, op->bytes); }

/* Into the staged copy, which a receiver that is there follows, so that both copy at the same time. */
static void pack_followed(const struct operation *op) {
  size_t part = op->piece || layout_divides(op->layout) ? FOLLOWED_BYTES : op->bytes;
  for (size_t at = 0; at < op->bytes;) {
    size_t bytes = op->bytes - at < part ? op->bytes - at : part;
    pack_part(op, at, (char *)op->staged + at, bytes);
    at += bytes;
    rendezvous_put(op->rendezvous, at);
  }
}

bool send_eager(struct route route, const void *buffer, MPI_Count count, int tag, enum send_mode mode, size_t limit) {
  struct sender *sender = &route.endpoint->sender;
  if (route.bytes > limit || mode == SEND_SYNCHRONOUS)
    return false;
  void *place = sender_reserve(sender, (struct envelope){route.communicator->context, tag}, route.bytes);
  if (!place)
    return false;
  gather(route.layout, buffer, (size_t)count, place, route.bytes);
  sender_publish(sender);
  if (UNLIKELY(mpishm.watching))
    watch_eager(route.bytes);
  return true;
}

/* How a buffer is copied that lies at `offset` of a segment; 0: in private memory. */
static enum path one_copy(const struct operation *op, uint64_t offset) {
  return offset || op->endpoint->segment == mpishm.segment ? PATH_WINDOW : PATH_KERNEL;
}

/* Whether two copies through the window cost less than one by the kernel, and the window has room to spare. */
static bool worth_staging(const struct operation *op) {
  return op->bytes <= mpishm.stage_limit && staged_bytes + op->bytes <= (mpishm.heap.pages << HEAP_PAGE_SHIFT) / 4;
}

/* The rendezvous of a message, on its buffer where others reach that cheaply, else on a staged copy. */
static bool prepare_rendezvous(struct operation *op, enum send_mode mode) {
  struct rendezvous *rendezvous = slab_allocate(&mpishm.rendezvous_slab);
  if (!rendezvous)
    return false;
  op->rendezvous = rendezvous;
  rendezvous->bytes = op->bytes;
  rendezvous->address = (uint64_t)(uintptr_t)op->piece;
  rendezvous->offset = op->piece ? buffer_offset(op->piece, op->bytes) : 0;
  bool in_place = op->piece && mode != SEND_BUFFERED;
  bool by_copy = in_place && (rendezvous->offset || op->endpoint->segment == mpishm.segment);
  bool by_kernel = in_place && mpishm.kernel_copies;
  if (!by_copy && (!by_kernel || worth_staging(op)))
    op->staged = staged_allocate(op->bytes);
  if (!op->staged && !by_copy && !by_kernel) {
    release_rendezvous(op);
    return false;
  }
  op->path = op->staged ? PATH_STAGED : one_copy(op, rendezvous->offset);
  if (op->staged)
    rendezvous->offset = offset_of(mpishm.segment, op->staged);
  bool follows = op->staged && mode != SEND_SYNCHRONOUS; /* see send_start */
  if (op->staged && !follows)
    pack(op, op->staged);
  atomic_store_explicit(&rendezvous->staged, follows ? 0 : op->bytes, memory_order_relaxed);
  atomic_store_explicit(&rendezvous->state, op->staged ? RENDEZVOUS_STAGED : RENDEZVOUS_POSTED, memory_order_relaxed);
  return true;
}

/* From a private copy, so that the send is finished whatever the receiver does. */
static void send_by_mpi(struct operation *op) {
  op->by_mpi = true;
  op->mpi = MPI_REQUEST_NULL;
  op->copy = malloc(op->bytes + 1);
  warn_once(WARN_WINDOW_FULL,
            "the window is full (%zu KiB per rank); some messages go through MPI; raise MPISHM_WINDOW",
            mpishm.heap.pages << (HEAP_PAGE_SHIFT - 10));
  if (op->copy)
    pack(op, op->copy);
  payload_send(op);
  op->done = op->error != MPI_SUCCESS || (op->copy && !op->synchronous && leave_copy(op));
}

bool send_is_met(struct operation *op) {
  if (!op->synchronous || !op->copy || op->polls++ % MATCH_EVERY != 0)
    return false;
  struct envelope envelope = {op->communicator->context, op->tag};
  return sender_is_met(&op->endpoint->sender, op->endpoint->segment, envelope, op->position) && leave_copy(op);
}

void send_start(struct operation *op, struct route route, const void *buffer, MPI_Count count, MPI_Datatype datatype,
                int dest, int tag, enum send_mode mode) {
  struct sender *sender = &route.endpoint->sender;
  struct envelope envelope = {route.communicator->context, tag};
  if (staged_list)
    reclaim_staged(RECLAIM_AT_START);
  left_sends_reclaim();
  operation_begin(op, route, (void *)buffer, count, datatype, dest, tag);
  op->is_send = true;
  op->synchronous = mode == SEND_SYNCHRONOUS;
  op->bytes = route.bytes;
  op->rendezvous = NULL;
  op->staged = NULL;
  op->copy = NULL;
  op->polls = 0;
  op->stage_at = 0;
  if (!sender->mpi_only && prepare_rendezvous(op, mode)) {
    if (sender_offer(sender, envelope, op->rendezvous, &op->position)) {
      /* The copy of a standard send follows the cell. That of a synchronous one comes first: its receiver may have
       * matched it, found half of it, and gone into a collective, and nobody could tell that it was matched. */
      if (!op->synchronous && op->staged) {
        pack_followed(op);
        leave_staged(op);
      }
      return;
    }
    release_rendezvous(op);
  }
  if (!sender_announce_mpi(sender, envelope, route.bytes, &op->position)) {
    sender_leave(sender);
    op->position = sender_note_left(sender, envelope);
    announcement_send(op->endpoint, envelope, route.bytes);
  }
  send_by_mpi(op);
}

/* ---- Getting on. ---- */

static bool push(struct operation *op, struct receive *receive) {
  size_t n = op->bytes < receive->capacity ? op->bytes : receive->capacity;
  const char *start = op->staged ? op->staged : op->copy ? op->copy : op->piece;
  receive->bytes = op->bytes;
  if (n == 0)
    return true;
  if (receive->offset)
    memcpy(at_offset(op->endpoint->segment, receive->offset), start, n);
  else if (receive->address && op->endpoint->segment == mpishm.segment)
    memcpy((void *)(uintptr_t)receive->address, start, n);
  else
    return receive->address && mpishm.kernel_copies && reach_write(op->endpoint->pid, receive->address, start, n);
  return true;
}

/* Whether the receiver may have a receive for this message that cannot be found from here. */
static bool may_be_awaited(const struct operation *op) {
  return atomic_load_explicit(&op->endpoint->segment->wildcards, memory_order_relaxed) != 0;
}

/* Takes the message out of the program's buffer: into the window, or where that is full into private memory that the
 * kernel lets the receiver read. */
static bool stage(struct operation *op) {
  void *memory = staged_allocate(op->bytes), *copy = NULL;
  if (!memory && mpishm.kernel_copies && (op->matched || op->bytes <= COPY_BYTES || may_be_awaited(op)))
    copy = malloc(op->bytes + 1);
  if (!memory && !copy)
    return false; /* wait for the receiver: what MPI allows a large standard send to do */
  if (!rendezvous_take_back(op->rendezvous)) {
    staged_free(memory, op->bytes);
    free(copy);
    return false;
  }
  op->staged = memory;
  op->copy = copy;
  op->path = PATH_STAGED;
  op->rendezvous->address = (uint64_t)(uintptr_t)copy;
  if (memory) {
    rendezvous_staging(op->rendezvous, offset_of(mpishm.segment, memory));
    pack_followed(op);
  } else {
    pack(op, copy);
    rendezvous_staged(op->rendezvous, 0);
  }
  return may_leave(op) && leave_staged(op);
}

/* Looks for the posted receive of this send, and delivers or leaves the rendezvous with it. Matched, a send is done as
 * soon as its buffer is free, since its receiver may not call the runtime before it needs something else of us. */
static bool match_and_push(struct operation *op) {
  struct receive *receive = sender_match(&op->endpoint->sender, op->endpoint->segment, op->position);
  if (!receive)
    return false;
  if (push(op, receive)) {
    if (op->path != PATH_STAGED)
      op->path = one_copy(op, receive->offset);
    receive->path = op->path;
    receive_hand_over(receive, RECEIVE_DONE);
    release_rendezvous(op);
    return op->done = true;
  }
  op->matched = true;
  receive->rendezvous = offset_of(mpishm.segment, op->rendezvous);
  receive_hand_over(receive, RECEIVE_MATCHED);
  return op->staged || op->copy ? leave_staged(op) : stage(op);
}

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static bool poll_posted(struct operation *op) {
  unsigned polls = op->polls++;
  if (polls % MATCH_EVERY != 0 && polls < MATCH_ALWAYS_AFTER)
    return false;
  if (op->matched)
    return stage(op);
  if (match_and_push(op))
    return true;
  if (!may_leave(op))
    return false;
  uint64_t now = now_ns();
  if (!op->stage_at)
    op->stage_at = now + STAGE_NS + op->bytes / STAGE_BYTES_PER_NS;
  return now >= op->stage_at && stage(op);
}

bool send_poll(struct operation *op) {
  switch (rendezvous_look(op->rendezvous)) {
  case RENDEZVOUS_DONE:
    release_rendezvous(op);
    return op->done = true;
  case RENDEZVOUS_REFUSED:
    op->matched = true;
    return stage(op);
  case RENDEZVOUS_POSTED:
    return poll_posted(op);
  case RENDEZVOUS_STAGED:
    return may_leave(op) ? leave_staged(op) : match_and_push(op);
  default:
    return false;
  }
}
