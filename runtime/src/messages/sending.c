/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One message: the send side. Whichever way it goes, a standard send is finished without its receiver, and a pair that
 * both sides have posted is finished by either of them:
 *
 * - A small message is copied into a cell; it is done.
 *
 * - A large one whose buffer others can reach becomes a rendezvous on that buffer. The receiver copies, or this rank
 * when it finds the receive posted; when it waits and nobody comes, or cannot fill that receive, it stages the message
 * (staging.c).
 *
 * - One that they cannot reach, or only by the kernel though it is not very large, becomes a rendezvous on a staged
 * copy; it is done.
 *
 * - Without memory for that it goes through MPI (through_mpi.c), from a private copy; it is done.
 */
#include "messages/sending.h"
#include "base/copy.h"
#include "channel/board.h"
#include "channel/reach.h"
#include "messages/left_sends.h"
#include "messages/receiving.h"
#include "messages/staging.h"
#include "messages/through_mpi.h"
#include "node/program_heap.h"

#include <string.h>

/* A send that waits looks for its receive at its first poll, at every MATCH_EVERYth, and at each once it has waited so
 * long that polls have become rare. It stages its message after about the time that the copy would take, which is at
 * most twice the best choice in hindsight (the ski rental argument). */
enum { MATCH_EVERY = 32, MATCH_ALWAYS_AFTER = 1000, STAGE_NS = 20000, STAGE_BYTES_PER_NS = 4 };
/* As many polls are taken for done of a parcel: its receiver is there as a rule, in the same collective, and reads the
 * buffer for half of what it costs this rank to write its lines, which are in the receiver's caches. One that computes
 * loses some hundred nanoseconds by that. */
enum { POLLS_OF_PARCEL = 1 };

/* So many of the messages left behind are looked at when a message starts, which adds one. */
enum { RECLAIM_AT_START = 8 };

/* ---- Starting. ---- */

void (*send_comes)(struct endpoint *, struct envelope);

void put_longer(struct endpoint *endpoint, void *place, const void *data, size_t bytes) {
  if (!mpishm.ways_measured) {
    copy_bytes(place, data, bytes);
    return;
  }
  struct choice choice = ways_choose(&endpoint->puts, WAY_KERNEL, bytes);
  uint64_t since = choice.timed ? watch_clock() : 0;
  if (choice.way == WAY_STREAMED)
    copy_streamed(place, data, bytes);
  else
    copy_bytes(place, data, bytes);
  if (!choice.timed)
    return;
  /* What the receiver needs is not seen from here: it gets what was streamed from memory. */
  uint64_t spent = watch_clock() - since;
  ways_learn(&endpoint->puts, bytes, choice.way, choice.way == WAY_STREAMED ? 3 * spent : spent);
}

void gather(const struct layout *layout, const void *buffer, size_t count, void *to, size_t bytes) {
  char *start;
  if (layout_piece(layout, count, buffer, &start))
    copy_bytes(to, start, bytes); /* an empty message may have no buffer */
  else if (bytes)
    layout_pack(layout, buffer, 0, to, bytes);
}

bool send_eager(struct route route, struct envelope envelope, const void *buffer, MPI_Count count, enum send_mode mode,
                size_t limit) {
  struct sender *sender = &route.endpoint->sender;
  if (route.bytes > limit || mode == SEND_SYNCHRONOUS)
    return false;
  if (UNLIKELY(send_comes != NULL))
    send_comes(route.endpoint, envelope);
  void *place = sender_reserve(sender, route.bytes);
  if (!place)
    return false;
  char *start;
  if (route.bytes >= PUT_LONGER && layout_piece(route.layout, (size_t)count, buffer, &start))
    put_longer(route.endpoint, place, start, route.bytes);
  else
    gather(route.layout, buffer, (size_t)count, place, route.bytes);
  sender_publish(sender, envelope, place, route.bytes);
  if (UNLIKELY(mpishm.watching) && envelope.context >= OWN_CONTEXTS)
    watch_eager(route.bytes);
  return true;
}

bool stays_in_place(struct endpoint *endpoint, size_t bytes) {
  return mpishm.ways_measured && endpoint->segment != mpishm.segment
             ? !cycles_copied(&endpoint->cycles, bytes, watch_clock)
             : bytes > mpishm.direct_limit;
}

/* How a buffer is copied that lies at `offset` of a segment; 0: in private memory. */
static enum path one_copy(const struct operation *op, uint64_t offset) {
  return offset || op->endpoint->segment == mpishm.segment ? PATH_WINDOW : PATH_KERNEL;
}

static bool has_room_to_spare(const struct operation *op) {
  return staged_bytes + op->bytes <= (mpishm.heap.pages << HEAP_PAGE_SHIFT) / 4;
}

/* The way of the message out of the first `count`, by what such messages have cost. */
static enum way choose_way(struct operation *op, struct ways *ways, unsigned count) {
  struct choice choice = ways_choose(ways, count, op->bytes);
  op->told = choice.timed ? ways : NULL;
  return op->way = choice.way;
}

/* Whether a message that lies in the window is copied first, as is better for some, and then in which way; of those up
 * to the eager limit that is decided before (stays_in_place). Those of collectives are read by several. */
static bool choose_copying(struct operation *op) {
  bool copied = mpishm.ways_measured && op->bytes > mpishm.eager_limit && op->bytes > CYCLES_SHORT &&
                op->endpoint->segment != mpishm.segment && has_room_to_spare(op) &&
                op->communicator->context != CONTEXT_OWN &&
                cycles_copied(&op->endpoint->cycles, op->bytes, watch_clock);
  if (copied)
    choose_way(op, &op->endpoint->puts, WAY_KERNEL);
  return copied;
}

/* Whether a message is copied twice, through the window, since that costs less than one copy by the kernel and there is
 * room to spare; and in which way. */
static bool choose_staging(struct operation *op) {
  if (op->bytes > mpishm.stage_limit || !has_room_to_spare(op))
    return false;
  return !mpishm.ways_measured || choose_way(op, &op->endpoint->ways, WAYS) != WAY_KERNEL;
}

/* A message that lies scattered in the window is fetched from there. False: it is not, or there is no memory. */
static bool describe_message(struct operation *op) {
  uint64_t base;
  if (op->piece || !layout_is_readable(op->layout, op->count, op->buffer, op->bytes, &base) ||
      !(op->described = staged_allocate(described_bytes(op->layout))))
    return false;
  layout_describe(op->layout, base, op->described);
  op->rendezvous->offset = offset_of(mpishm.segment, op->described);
  return op->rendezvous->described = true;
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
  rendezvous->described = false;
  bool by_copy = in_place && (rendezvous->offset || op->endpoint->segment == mpishm.segment);
  bool copied = by_copy && mode == SEND_STANDARD && choose_copying(op);
  by_copy = by_copy || (mode != SEND_BUFFERED && describe_message(op));
  bool by_kernel = in_place && kernel_copies(op->endpoint);
  if (copied || (!by_copy && (!by_kernel || choose_staging(op))))
    op->staged = staged_allocate(op->bytes);
  if (!op->staged && !by_copy && !by_kernel) {
    release_rendezvous(op);
    return false;
  }
  op->path = op->staged ? PATH_STAGED : one_copy(op, rendezvous->offset);
  if (op->path == PATH_KERNEL)
    may_be_refused(op);
  if (!op->staged && op->way != WAY_KERNEL)
    op->told = NULL; /* it goes another way for want of memory */
  rendezvous->timed = op->told != NULL;
  rendezvous->spent = 0;
  if (op->staged)
    rendezvous->offset = offset_of(mpishm.segment, op->staged);
  bool follows = op->staged && mode != SEND_SYNCHRONOUS; /* see send_start */
  if (op->staged && !follows)
    pack(op, op->staged);
  atomic_store_explicit(&rendezvous->staged, follows ? 0 : op->bytes, memory_order_relaxed);
  atomic_store_explicit(&rendezvous->state, op->staged ? RENDEZVOUS_STAGED : RENDEZVOUS_POSTED, memory_order_relaxed);
  return true;
}

/* Claims a receive that can only be found on the receiver's board. */
static bool claim(const struct operation *op) {
  return op->synchronous &&
         sender_claim(&op->endpoint->sender, op->endpoint->segment, (unsigned)mpishm.node_rank, op->position);
}

bool send_is_met(struct operation *op) {
  if (!op->synchronous || !op->copy || op->polls++ % MATCH_EVERY != 0)
    return false;
  struct envelope envelope = {op->communicator->context, op->tag};
  return (sender_is_met(&op->endpoint->sender, op->endpoint->segment, envelope, op->position) || claim(op)) &&
         leave_copy(op);
}

/* A message to this rank itself is copied at once if its receive is posted, while the caches still hold what the
 * program has just written there. */
static void take_own(struct endpoint *endpoint) {
  endpoint_drain(endpoint, NULL);
  receives_finish_matched();
}

void send_start(struct operation *op, struct route route, struct envelope envelope, const void *buffer, MPI_Count count,
                int dest, enum send_mode mode) {
  struct sender *sender = &route.endpoint->sender;
  reclaim_staged(RECLAIM_AT_START);
  left_sends_reclaim();
  if (UNLIKELY(send_comes != NULL))
    send_comes(route.endpoint, envelope);
  operation_begin(op, route, envelope, (void *)buffer, count, dest);
  op->is_send = true;
  op->synchronous = mode == SEND_SYNCHRONOUS;
  op->bytes = route.bytes;
  op->rendezvous = NULL;
  op->staged = NULL;
  op->described = NULL;
  op->copy = NULL;
  op->polls = route.communicator->context == CONTEXT_OWN ? POLLS_OF_PARCEL : 0;
  op->stage_at = 0;
  op->way = WAY_STAGED;
  op->told = NULL;
  op->spent = 0;
  op->refusable = NULL;
  if (!sender->mpi_only && prepare_rendezvous(op, mode)) {
    if (sender_offer(sender, envelope, op->rendezvous, &op->position)) {
      /* The copy of a standard send follows the cell. That of a synchronous one comes first: its receiver may have
       * matched it, found half of it, and gone into a collective, and nobody could tell that it was matched. */
      if (!op->synchronous && op->staged) {
        pack_followed(op);
        leave_staged(op);
      } else if (op->path == PATH_WINDOW && op->endpoint->segment == mpishm.segment) {
        take_own(op->endpoint);
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

static bool push_by_kernel(struct operation *op, const struct receive *receive, const char *start, size_t n) {
  uint64_t since = op->told ? watch_clock() : 0;
  bool ok = reach_write(op->endpoint->pid, receive->address, start, n);
  if (op->told)
    op->spent += watch_clock() - since;
  if (!ok)
    kernel_copy_failed();
  return ok;
}

/* Out of where it lies scattered into a buffer that this rank can write. */
static bool push_scattered(const struct operation *op, const struct receive *receive, size_t n) {
  void *to = receive->offset ? at_offset(op->endpoint->segment, receive->offset) : NULL;
  if (!to && op->endpoint->segment == mpishm.segment)
    to = (void *)(uintptr_t)receive->address;
  if (to)
    layout_pack(op->layout, op->buffer, 0, to, n);
  return to;
}

static bool push(struct operation *op, struct receive *receive) {
  size_t n = op->bytes < receive->capacity ? op->bytes : receive->capacity;
  const char *start = op->staged ? op->staged : op->copy ? op->copy : op->piece;
  receive->bytes = op->bytes;
  if (n == 0)
    return true;
  if (!start)
    return push_scattered(op, receive, n);
  if (receive->offset)
    copy_bytes(at_offset(op->endpoint->segment, receive->offset), start, n);
  else if (receive->address && op->endpoint->segment == mpishm.segment)
    copy_bytes((void *)(uintptr_t)receive->address, start, n);
  else
    return receive->address && kernel_copies(op->endpoint) && push_by_kernel(op, receive, start, n);
  return true;
}

/* Matched, a send is done as soon as its buffer is free, since its receiver may not call the runtime before it needs
 * something else of us. */
static bool leave_matched(struct operation *op) {
  op->matched = true;
  return op->staged || op->copy ? leave_staged(op) : stage(op);
}

/* Looks for the posted receive of this send, and delivers or leaves the rendezvous with it. */
static bool match_and_push(struct operation *op) {
  struct receive *receive = sender_match(&op->endpoint->sender, op->endpoint->segment, op->position);
  if (!receive)
    return false;
  if (push(op, receive)) {
    if (op->path != PATH_STAGED)
      op->path = one_copy(op, receive->offset);
    receive->path = op->path;
    receive_hand_over(receive, RECEIVE_DONE);
    tell_cost(op);
    release_rendezvous(op);
    return op->done = true;
  }
  receive->rendezvous = offset_of(mpishm.segment, op->rendezvous);
  receive_hand_over(receive, RECEIVE_MATCHED);
  return leave_matched(op);
}

/* The same of a receive that this rank cannot fill. */
static bool claim_and_leave(struct operation *op) { return !op->matched && claim(op) && leave_matched(op); }

static bool poll_posted(struct operation *op) {
  unsigned polls = op->polls++;
  if (polls % MATCH_EVERY != 0 && polls < MATCH_ALWAYS_AFTER)
    return false;
  if (op->matched)
    return stage(op);
  if (match_and_push(op) || claim_and_leave(op))
    return true;
  if (!may_leave(op))
    return false;
  uint64_t now = watch_clock(), patience = STAGE_NS + op->bytes / STAGE_BYTES_PER_NS;
  if (!op->stage_at)
    op->stage_at = now + patience;
  if (now < op->stage_at)
    return false;
  op->spent += patience;
  if (mpishm.ways_measured)
    ways_waited_in_vain(&op->endpoint->ways, op->bytes);
  return stage(op);
}

bool send_poll(struct operation *op) {
  switch (rendezvous_look(op->rendezvous)) {
  case RENDEZVOUS_DONE:
    tell_cost(op);
    release_rendezvous(op);
    return op->done = true;
  case RENDEZVOUS_REFUSED:
    op->told = NULL;
    op->matched = true;
    return stage(op);
  case RENDEZVOUS_POSTED:
    return poll_posted(op);
  case RENDEZVOUS_STAGED:
    return may_leave(op) ? leave_staged(op) : match_and_push(op) || claim_and_leave(op);
  default:
    return false;
  }
}
