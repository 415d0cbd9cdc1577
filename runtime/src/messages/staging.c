/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages whose buffer the program has back before the receiver has them. A receiver that has posted may sit in a call
 * of MPI for as long as the send has not returned, and a large one may lie in memory that the sender cannot write. So
 * whatever the sender cannot deliver alone goes where the receiver gets it from later, without any call of the program
 * that sends; each of these when there is no room in the one before:
 *
 * - the heap of the protocol, in the window;
 *
 * - a private copy, if the kernel lets the receiver read it, or the receiver is this rank;
 *
 * - the window's memory for the program's buffers;
 *
 * - MPI, from a private copy or, without memory for that, from the buffer itself: MPI goes on with it in all its calls.
 *
 * Only what nobody may be waiting for, larger than what any MPI would buffer, stays where it is when the window is
 * full: a send of that size may wait for its receive.
 */
#include "messages/staging.h"
#include "base/copy.h"
#include "memory/turns.h"
#include "messages/left_sends.h"
#include "messages/sending.h"
#include "messages/through_mpi.h"
#include "mpishm.h"
#include "node/program_heap.h"
#include "node/warnings.h"
#include "watch/waiting.h"

#include <errno.h>
#include <stdlib.h>

/* The receiver learns in steps of so many bytes what is staged: a part that is still in the first-level cache, or near.
 * Of what passes the caches by each step ends with a wait until it is in memory, so they are longer. */
enum { FOLLOWED_BYTES = 8 << 10, FOLLOWED_STREAM = 16 << 10 };

/* Larger than the eager limit of any MPI library. */
enum { BUFFERED_BYTES = 4 << 20 };

/* So many of the messages left behind are looked at when the window is full, or a wait goes on. All of them would make
 * a flood of messages cost its square. */
enum { RECLAIM_IF_FULL = 64, RECLAIM_AT_WAIT = 8 };

/* By sends_under_way. */
enum { LOOKED_AT = 64 };

/* Finished for the program, but something still holds them. */
static struct operation *staged_list, **staged_tail = &staged_list;
static size_t staged_count;

size_t staged_bytes;

/* ---- Memory. ---- */

static struct turns turns;

static void *heap_room(size_t bytes) {
  void *memory = turns_allocate(&turns, &mpishm.heap, bytes);
  if (!memory)
    memory = heap_allocate(&mpishm.heap, bytes);
  if (memory)
    staged_bytes += bytes;
  return memory;
}

void *staged_allocate(size_t bytes) {
  void *memory = heap_room(bytes);
  if (memory)
    return memory;
  reclaim_staged(RECLAIM_IF_FULL);
  return heap_room(bytes);
}

void staged_free(void *memory, size_t bytes) {
  if (!memory || MPISHM_Window_free(memory))
    return;
  if (!turns_free(&turns, memory, bytes))
    heap_free(&mpishm.heap, memory);
  staged_bytes -= bytes;
}

/* Where the program's buffers are. */
static void *borrow(size_t bytes) { return MPISHM_Window_allocate(LINE, bytes); }

/* In the own segment, which this process has mapped twice. */
static uint64_t staged_offset(const void *memory) {
  uint64_t offset = buffer_offset(memory, 1);
  return offset ? offset : offset_of(mpishm.segment, memory);
}

/* ---- Copying. ---- */

/* Of a message that was started, or a part of it. */
static void pack_part(const struct operation *op, size_t position, void *to, size_t bytes) {
  if (op->piece && op->way == WAY_STREAMED)
    copy_streamed(to, op->piece + position, bytes);
  else if (op->piece)
    copy_bytes(to, op->piece + position, bytes);
  else if (bytes)
    layout_pack(op->layout, op->buffer, position, to, bytes);
}

void pack(struct operation *op, void *to) {
  uint64_t since = op->told ? watch_clock() : 0;
  pack_part(op, 0, to, op->bytes);
  if (op->told)
    op->spent += watch_clock() - since;
}

void pack_followed(struct operation *op) {
  uint64_t since = op->told ? watch_clock() : 0;
  size_t part = op->way == WAY_STREAMED ? FOLLOWED_STREAM : FOLLOWED_BYTES;
  if (!op->piece && !layout_divides(op->layout))
    part = op->bytes;
  for (size_t at = 0; at < op->bytes;) {
    size_t bytes = op->bytes - at < part ? op->bytes - at : part;
    pack_part(op, at, (char *)op->staged + at, bytes);
    at += bytes;
    rendezvous_put(op->rendezvous, at);
  }
  if (op->told)
    op->spent += watch_clock() - since;
}

void tell_cost(const struct operation *op) {
  if (op->told)
    ways_learn(op->told, op->bytes, op->way, op->spent + op->rendezvous->spent);
}

/* ---- What the kernel may refuse. ---- */

static struct operation *refusable;
static void help_with_refused(void);

void may_be_refused(struct operation *op) {
  help_others = help_with_refused;
  op->next_refusable = refusable;
  op->refusable = &refusable;
  if (refusable)
    refusable->refusable = &op->next_refusable;
  refusable = op;
}

void kernel_copy_failed(void) {
  if (errno != EFAULT && errno != ENOMEM)
    atomic_store_explicit(&mpishm.segment->refused, 1, memory_order_relaxed);
}

static void no_more_refusable(struct operation *op) {
  if (!op->refusable)
    return;
  *op->refusable = op->next_refusable;
  if (op->next_refusable)
    op->next_refusable->refusable = op->refusable;
  op->refusable = NULL;
}

static void help_with_refused(void) {
  reclaim_staged(RECLAIM_AT_WAIT);
  for (struct operation *op = refusable, *next; op; op = next) {
    next = op->next_refusable;
    if (rendezvous_look(op->rendezvous) == RENDEZVOUS_REFUSED)
      send_poll(op);
  }
}

/* ---- Messages that are left behind. ---- */

void forget_description(struct operation *op) {
  if (!op->described)
    return;
  op->rendezvous->described = false;
  staged_free(op->described, described_bytes(op->layout));
  op->described = NULL;
}

void release_rendezvous(struct operation *op) {
  if (op->rendezvous) {
    forget_description(op);
    no_more_refusable(op);
    staged_free(op->staged, op->rendezvous->bytes);
    slab_free(&mpishm.rendezvous_slab, op->rendezvous);
  }
  free(op->copy);
  op->staged = NULL;
  op->rendezvous = NULL;
  op->copy = NULL;
}

static void staged_append(struct operation *rest) {
  rest->next = NULL;
  *staged_tail = rest;
  staged_tail = &rest->next;
  staged_count++;
}

bool leave_staged(struct operation *op) {
  struct operation *rest = malloc(sizeof *rest);
  if (!rest)
    return false;
  no_more_refusable(op);
  *rest = (struct operation){.is_send = true,
                             .rendezvous = op->rendezvous,
                             .staged = op->staged,
                             .copy = op->copy,
                             .piece = op->copy,
                             .bytes = op->bytes,
                             .endpoint = op->endpoint,
                             .position = op->position,
                             .way = op->way,
                             .told = op->told,
                             .spent = op->spent,
                             .mpi = MPI_REQUEST_NULL};
  staged_append(rest);
  op->rendezvous = NULL;
  op->staged = NULL;
  op->copy = NULL;
  return op->done = true;
}

bool leave_copy(struct operation *op) {
  if (!left_sends_add(op->copy, op->mpi))
    return false;
  op->mpi = MPI_REQUEST_NULL;
  op->copy = NULL;
  return op->done = true;
}

/* The message moves into the window. */
static void stage_in_window(struct operation *op, void *memory) {
  op->staged = memory;
  rendezvous_staging(op->rendezvous, staged_offset(memory));
  pack_followed(op);
}

/* A copy that the kernel would not let the receiver read either. */
static void stage_again(struct operation *rest) {
  void *memory = heap_room(rest->bytes);
  if (!memory)
    memory = borrow(rest->bytes);
  if (memory) {
    stage_in_window(rest, memory);
    free(rest->copy);
  } else {
    rendezvous_leave(rest->rendezvous, rest->position);
    payload_send(rest);
    if (rest->error == MPI_SUCCESS) /* without memory for the request the copy stays */
      left_sends_add(rest->copy, rest->mpi);
  }
  rest->copy = NULL;
}

void reclaim_staged(size_t most) {
  for (size_t left = most < staged_count ? most : staged_count; left > 0 && staged_list; left--) {
    struct operation *rest = staged_list;
    enum rendezvous_state state = rendezvous_look(rest->rendezvous);
    staged_list = rest->next;
    if (!staged_list)
      staged_tail = &staged_list;
    staged_count--;
    if (state == RENDEZVOUS_DONE) {
      tell_cost(rest);
      release_rendezvous(rest);
      free(rest);
      continue;
    }
    if (state == RENDEZVOUS_REFUSED) {
      rest->told = NULL;
      stage_again(rest);
    }
    staged_append(rest);
  }
}

static bool is_under_way(const struct operation *op, const struct endpoint *endpoint) {
  return op->endpoint == endpoint && rendezvous_look(op->rendezvous) != RENDEZVOUS_DONE;
}

bool sends_under_way(const struct endpoint *endpoint) {
  bool found = false;
  unsigned left = LOOKED_AT;
  for (const struct operation *op = staged_list; op && !found && left > 0; op = op->next, left--)
    found = is_under_way(op, endpoint);
  for (const struct operation *op = refusable; op && !found && left > 0; op = op->next_refusable, left--)
    found = is_under_way(op, endpoint);
  return found;
}

bool sends_reclaim(void) {
  reclaim_staged(staged_count);
  return left_sends_poll();
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

/* ---- Taking a message out of the program's buffer. ---- */

void send_by_mpi(struct operation *op) {
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

/* What the rendezvous still tells the receiver stays behind. */
static bool stage_in_mpi(struct operation *op) {
  op->synchronous = false; /* it is matched, if it ever was */
  op->told = NULL;
  rendezvous_leave(op->rendezvous, op->position);
  if (!leave_staged(op)) { /* the receiver needs it for good */
    no_more_refusable(op);
    op->rendezvous = NULL;
  }
  send_by_mpi(op);
  return op->done;
}

/* Whether the receiver may have a receive for this message that cannot be found from here. */
static bool may_be_awaited(const struct operation *op) {
  return atomic_load_explicit(&op->endpoint->segment->unmatchable, memory_order_relaxed) != 0;
}

/* Whether the receiver can read a private copy. */
static bool copy_is_read(const struct operation *op) {
  return op->endpoint->segment == mpishm.segment ||
         (kernel_copies(op->endpoint) && rendezvous_look(op->rendezvous) != RENDEZVOUS_REFUSED);
}

bool stage(struct operation *op) {
  void *memory = staged_allocate(op->bytes), *copy = NULL;
  if (!memory && !op->matched && op->bytes > BUFFERED_BYTES && !may_be_awaited(op))
    return false;
  if (!memory && copy_is_read(op))
    copy = malloc(op->bytes + 1);
  if (!memory && !copy)
    memory = borrow(op->bytes);
  if (!rendezvous_take_back(op->rendezvous)) {
    staged_free(memory, op->bytes);
    free(copy);
    return false;
  }
  forget_description(op);
  if (!memory && !copy)
    return stage_in_mpi(op);
  op->path = PATH_STAGED;
  if (memory) {
    stage_in_window(op, memory);
  } else {
    op->copy = copy;
    help_others = help_with_refused;
    op->rendezvous->address = (uint64_t)(uintptr_t)copy;
    pack(op, copy);
    rendezvous_staged(op->rendezvous, 0);
  }
  return leave_staged(op);
}
