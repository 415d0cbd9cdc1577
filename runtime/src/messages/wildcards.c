/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Receives from any source or with any tag. A posted receive stands in the inbox of one source, where that source may
 * match it; a wildcard has no such place. It waits in its communicator's list, in this process alone, and takes the
 * oldest message that matches it and that no posted receive got: those were posted before it, or match none of its
 * messages. For that must hold what MPI asks of receives in the order of posting (MPI 3.1, 3.5):
 *
 * - While a wildcard waits, a later receive of the same communicator that may match the same message is not posted but
 *   waits behind it. The list is gone through in order.
 *
 * - What other nodes send is matched by MPI alone: a wildcard that may match it also has a receive of MPI's, with the
 *   program's buffer, communicator and tag, started when it was posted. Before it takes a message of this node that
 *   receive is cancelled; a wildcard for which that comes too late is MPI's, and the message stays where it is.
 *
 * A message is an unexpected one before a wildcard takes it, and so its sender must be done without its receiver: a
 * standard send is. A synchronous one claims what waits here, on this rank's board (channel/board.h); and what has come
 * while MPI has not said yet whether it was faster is promised its receive. The wildcard then takes what that rank has
 * sent, and nothing else; but if MPI was faster with a message from another node, the claim is void: the send has ended
 * although its message now waits for the next receive.
 */
#include "messages/wildcards.h"
#include "channel/board.h"
#include "messages/receiving.h"
#include "messages/through_mpi.h"
#include "node/window.h"

#include <string.h>

static bool is_wildcard(const struct operation *waiting) { return !waiting->endpoint; }

static bool accepts(const struct operation *op, int source, int tag) {
  return (op->peer == MPI_ANY_SOURCE || op->peer == source) && (op->tag == MPI_ANY_TAG || op->tag == tag);
}

/* Whether there may be a message that both match. */
static bool overlap(const struct operation *a, const struct operation *b) {
  return (a->peer == MPI_ANY_SOURCE || b->peer == MPI_ANY_SOURCE || a->peer == b->peer) &&
         (a->tag == MPI_ANY_TAG || b->tag == MPI_ANY_TAG || a->tag == b->tag);
}

/* Whether a wildcard that may match the same messages waits before `op`, which is in the list or about to be its last.
 * (A receive that is none waits behind a wildcard, so what overlaps the one overlaps the other.) */
static bool held_back(const struct operation *op) {
  for (const struct operation *at = op->communicator->waiting; at && at != op; at = at->next_waiting)
    if (is_wildcard(at) && overlap(at, op))
      return true;
  return false;
}

void count_unmatchable(int more) {
  static unsigned count;
  count += (unsigned)more;
  atomic_store_explicit(&mpishm.segment->unmatchable, count, memory_order_relaxed);
}

/* ---- The board. ---- */

bool wildcards_are_waiting;

/* Between these two this rank looks what has come, and what waits gets what is its own; they may be nested. The
 * messages that have come need not be of the communicator that the caller asks for. */
static unsigned entered;
static uint64_t settled;   /* mpishm.unexpected, when all that waits had got what it could */
static unsigned undecided; /* receives that wait for what MPI says to their being cancelled */
static void settle_all(void);
static void promise_all(void);
static void enter(void) {
  if (entered++ > 0)
    return;
  board_lock(&mpishm.segment->board);
  settled = mpishm.unexpected;
}
static void leave(void) {
  if (entered == 1 && mpishm.unexpected != settled)
    settle_all();
  if (entered == 1 && undecided > 0)
    promise_all();
  if (--entered == 0)
    board_unlock(&mpishm.segment->board);
}

static void put_on_board(struct operation *op) {
  if (op->tag == MPI_ANY_TAG)
    op->receive->envelope.tag = TAG_ANY;
  board_add(mpishm.segment, op->receive, op->peer == MPI_ANY_SOURCE ? -1 : op->communicator->node_rank[op->peer]);
  wildcards_are_waiting = true;
}

static void take_off_board(const struct operation *op) {
  board_remove(mpishm.segment, op->receive);
  wildcards_are_waiting = board_oldest(mpishm.segment) != NULL;
}

/* The rank of its communicator that has claimed it, or MPI_ANY_SOURCE. */
static int claimer_of(const struct operation *op) {
  return communicator_member_on_node(op->communicator, op->receive->claimer);
}

void wildcards_hide(void) {
  enter();
  mpishm.segment->board.hidden = true;
  leave();
}

/* ---- Messages of this node. ---- */

/* Looks what has come from all ranks of the communicator that are here. True when there are messages without a receive,
 * of whatever envelope. */
static bool drain_all(const struct communicator *communicator) {
  bool any = false;
  for (int i = 0; i < communicator->local_count; i++) {
    struct endpoint *endpoint = endpoint_opened(communicator->node_rank[communicator->local[i]]);
    endpoint_drain(endpoint, NULL);
    any = any || endpoint->receiver.unexpected_count > 0;
  }
  return any;
}

/* The oldest message that matches and is not before `order`, and its source. The oldest of all sources: none is passed
 * over for ever, and a receive that asks what a probe asked gets what the probe found. */
static const struct unexpected *oldest_from(const struct communicator *communicator, int peer, int tag, uint64_t order,
                                            int *source) {
  const struct unexpected *oldest = NULL;
  struct envelope envelope = {communicator->context, tag == MPI_ANY_TAG ? TAG_ANY : tag};
  for (int i = 0; i < communicator->local_count; i++) {
    int rank = communicator->local[i];
    if (peer != MPI_ANY_SOURCE && peer != rank)
      continue;
    const struct unexpected *message =
        receiver_peek(&mpishm.endpoints[communicator->node_rank[rank]].receiver, envelope, order);
    if (message && (!oldest || message->order < oldest->order)) {
      oldest = message;
      *source = rank;
    }
  }
  return oldest;
}

static const struct unexpected *oldest_message(const struct communicator *communicator, int peer, int tag,
                                               int *source) {
  return oldest_from(communicator, peer, tag, 0, source);
}

/* Whether something in the list before `end` (NULL: anything) matches a message: it could not take it yet, since MPI
 * has not said whether another message was faster, but may still do so. What another rank has claimed never does. */
static bool is_wanted(const struct communicator *communicator, const struct operation *end, int source, int tag) {
  for (const struct operation *at = communicator->waiting; at && at != end; at = at->next_waiting) {
    int claimer = claimer_of(at);
    if (accepts(at, source, tag) && (claimer == MPI_ANY_SOURCE || claimer == source))
      return true;
  }
  return false;
}

static void take(struct operation *op, const struct unexpected *message, int source) {
  op->communicator->mpi_first = true;
  op->endpoint = &mpishm.endpoints[op->communicator->node_rank[source]];
  op->peer = source;
  op->tag = message->envelope.tag;
  receive_give(op, message);
}

/* ---- Messages of other nodes. ---- */

bool wildcard_looks_elsewhere(const struct communicator *communicator, int peer) {
  return peer == MPI_ANY_SOURCE && communicator->local_count < communicator->size;
}

/* False: MPI refuses, which ends the operation. Only in the call that posts it: later the datatype and the communicator
 * of a receive that is not persistent may be freed. */
static bool start_elsewhere(struct operation *op, MPI_Datatype datatype) {
  if (op->persistent) {
    op->mpi = op->persistent->elsewhere;
    op->error = PMPI_Start(&op->mpi);
  } else {
    op->error = irecv_through_mpi(op->buffer, (MPI_Count)op->count, datatype, op->peer, op->tag,
                                  op->communicator->handle, &op->mpi);
  }
  op->elsewhere = op->done = op->error != MPI_SUCCESS;
  if (op->done)
    op->mpi = MPI_REQUEST_NULL;
  return !op->done;
}

/* Whether MPI has matched it, or refused it. If not, and it was cancelled, op->mpi is null once that is certain. */
static bool ended_elsewhere(struct operation *op) {
  int flag = 0, cancelled = 0;
  MPI_Count bytes = 0;
  op->error = PMPI_Test(&op->mpi, &flag, &op->mpi_status);
  if (op->error == MPI_SUCCESS && !flag)
    return false;
  op->mpi = MPI_REQUEST_NULL;
  undecided -= op->cancelling;
  if (op->error == MPI_SUCCESS && op->cancelling)
    PMPI_Test_cancelled(&op->mpi_status, &cancelled);
  if (cancelled)
    return false;
  PMPI_Get_elements_x(&op->mpi_status, MPI_BYTE, &bytes);
  op->bytes = bytes > 0 ? (uint64_t)bytes : 0;
  op->path = PATH_MPI_OTHER_NODE;
  op->communicator->mpi_first = false;
  if (op->receive->claimer >= 0)
    board_void(mpishm.segment);
  return op->elsewhere = op->done = true;
}

static void cancel_elsewhere(struct operation *op) {
  if (op->cancelling)
    return;
  PMPI_Cancel(&op->mpi);
  op->cancelling = true;
  undecided++;
}

/* Cancels the receive of MPI's, if there is one. False: it is not certain yet that MPI will not match it, or it has.
 * That receive is not needed again: the message that it is cancelled for stays until this operation takes it, since
 * what may match the same message waits behind it. */
static bool stop_elsewhere(struct operation *op) {
  if (op->mpi == MPI_REQUEST_NULL)
    return true;
  cancel_elsewhere(op);
  return !ended_elsewhere(op) && op->mpi == MPI_REQUEST_NULL;
}

/* ---- The list. ---- */

/* True when a wildcard waits no more. `any`: there are messages that no receive was posted for. */
static bool settle(struct operation *op, bool any) {
  int source, claimer = claimer_of(op);
  if (op->done || (op->mpi != MPI_REQUEST_NULL && ended_elsewhere(op)))
    return true;
  if (op->withdrawn && op->mpi == MPI_REQUEST_NULL && claimer == MPI_ANY_SOURCE) {
    op->bytes = 0;
    return op->cancelled = op->done = true;
  }
  int peer = claimer == MPI_ANY_SOURCE ? op->peer : claimer;
  const struct unexpected *message = any ? oldest_message(op->communicator, peer, op->tag, &source) : NULL;
  if (!message || is_wanted(op->communicator, op, source, message->envelope.tag))
    return false;
  if (stop_elsewhere(op))
    take(op, message, source);
  else if (!op->done)
    return false;
  return true;
}

static void unlink_waiting(struct communicator *communicator, struct operation **link) {
  struct operation *op = *link;
  *link = op->next_waiting;
  if (communicator->waiting_tail == &op->next_waiting)
    communicator->waiting_tail = link;
  op->waiting = false;
  take_off_board(op);
}

/* Goes through the list in order. `any`: as above. */
static void settle_list(struct communicator *communicator, bool any) {
  for (struct operation **link = &communicator->waiting, *op; (op = *link) != NULL;) {
    bool wild = is_wildcard(op);
    if (wild ? !settle(op, any) : held_back(op)) {
      link = &op->next_waiting;
      continue;
    }
    unlink_waiting(communicator, link);
    if (wild)
      count_unmatchable(-1);
    else
      receive_post(op);
  }
  receives_finish_matched();
}

/* ---- Promises. ---- */

/* Promises one on the board the oldest message for it that nothing else on the board is to get. */
static void promise(const struct operation *op) {
  const struct unexpected *message;
  int source = MPI_ANY_SOURCE;
  uint64_t order = 0;
  while ((message = oldest_from(op->communicator, op->peer, op->tag, order, &source)) != NULL) {
    int node_rank = op->communicator->node_rank[source];
    if (!board_has_claim(mpishm.segment, node_rank, message->arrival.position)) {
      board_promise(op->receive, node_rank, message->arrival.position);
      return;
    }
    order = message->order + 1;
  }
}

/* In order, so that each gets what it will get when MPI has decided; what is withdrawn gets nothing. A synchronous
 * sender that this rank keeps waiting so is done: this rank may go into a collective now. */
static void promise_all(void) {
  for (const struct receive *at = board_oldest(mpishm.segment); at; at = board_newer(mpishm.segment, at)) {
    const struct operation *op = at->owner;
    if (at->claimer < 0 && !op->withdrawn)
      promise(op);
  }
}

static void advance(struct communicator *communicator) { settle_list(communicator, drain_all(communicator)); }

void wildcards_advance(struct communicator *communicator) {
  enter();
  advance(communicator);
  leave();
}

/* All communicators that something waits on. Does not look again what has come, which could go on for ever. */
static void settle_all(void) {
  static uint64_t round;
  round++;
  for (const struct receive *at = board_oldest(mpishm.segment); at;) {
    struct communicator *communicator = ((const struct operation *)at->owner)->communicator;
    if (communicator->settled == round) {
      at = board_newer(mpishm.segment, at);
      continue;
    }
    communicator->settled = round;
    communicator->references++;
    settle_list(communicator, true);
    communicator_release(communicator);
    at = board_oldest(mpishm.segment); /* that may have been taken off */
  }
}

void wildcards_drain(struct endpoint *endpoint) {
  struct receiver *receiver = &endpoint->receiver;
  if (!receiver_has_something(receiver) && !receiver->mpi_only)
    return;
  enter();
  receives_match(receiver, NULL);
  if (receiver->mpi_only)
    announcements_receive(endpoint);
  leave();
}

/* The first try to match it, before and after MPI is asked to look elsewhere, where that is needed. */
static void try_wildcard(struct operation *op, MPI_Datatype datatype) {
  struct communicator *communicator = op->communicator;
  bool elsewhere = wildcard_looks_elsewhere(communicator, op->peer);
  if (elsewhere && communicator->mpi_first)
    start_elsewhere(op, datatype);
  advance(communicator);
  if (op->waiting && elsewhere && op->mpi == MPI_REQUEST_NULL && !start_elsewhere(op, datatype))
    advance(communicator); /* takes it out */
}

bool wildcards_hold(struct operation *op, MPI_Datatype datatype) {
  struct communicator *communicator = op->communicator;
  if (!is_wildcard(op) && !held_back(op))
    return false;
  enter();
  op->waiting = true;
  op->cancelling = op->withdrawn = false;
  op->mpi = MPI_REQUEST_NULL;
  op->next_waiting = NULL;
  atomic_store_explicit(&op->receive->state, RECEIVE_POSTED, memory_order_relaxed);
  *communicator->waiting_tail = op;
  communicator->waiting_tail = &op->next_waiting;
  put_on_board(op);
  if (is_wildcard(op)) {
    count_unmatchable(1);
    try_wildcard(op, datatype);
  }
  leave();
  return true;
}

/* Under the lock of the board. */
static void cancel_waiting(struct operation *op) {
  advance(op->communicator); /* what has come is received */
  if (!op->waiting || claimer_of(op) != MPI_ANY_SOURCE)
    return;
  if (!is_wildcard(op)) {
    struct operation **link = &op->communicator->waiting;
    while (*link != op) /* NOLINT(clang-analyzer-core.NullDereference): it is among them */
      link = &(*link)->next_waiting;
    unlink_waiting(op->communicator, link);
    op->bytes = 0;
    op->cancelled = op->done = true;
    return;
  }
  op->withdrawn = true;
  if (op->mpi != MPI_REQUEST_NULL)
    cancel_elsewhere(op);
  advance(op->communicator);
}

void wildcards_cancel(struct operation *op) {
  enter();
  cancel_waiting(op);
  leave();
}

bool wildcards_withdraw(struct operation *op) {
  enter();
  bool taken = receiver_withdraw(&op->endpoint->receiver, op->receive, receive_arrive);
  leave();
  return taken;
}

const struct unexpected *wildcards_peek(struct communicator *communicator, int peer, int tag, int *source) {
  wildcards_advance(communicator);
  const struct unexpected *message = oldest_message(communicator, peer, tag, source);
  return message && !is_wanted(communicator, NULL, *source, message->envelope.tag) ? message : NULL;
}
