/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The commonest messages in few instructions: on the communicator and of the datatype that were used last, one piece of
 * memory, between two named ranks that have met, no wildcard about, and nobody attends entry points. And persistent
 * ones of these, on whatever communicator and of whatever datatype. Each function here either does all that the way of
 * any other message (sending.h, receiving.h) would do, or nothing.
 */
#ifndef MPISHM_PLAIN_H
#define MPISHM_PLAIN_H

#include "base/copy.h"
#include "messages/receiving.h"
#include "messages/sending.h"
#include "messages/statuses.h"
#include "requests/requests.h"

#include <limits.h>

/* The endpoint of a rank of the communicator that was used last; NULL: this is not that communicator, or arguments that
 * others must look at. Its size is 0 where there is none, and where entry points are attended. As unsigned numbers,
 * negative ones are large. */
static inline struct endpoint *plain_endpoint(const void *buffer, MPI_Datatype datatype, int peer, int tag,
                                              MPI_Comm comm) {
  if (UNLIKELY(comm != plain_communicator.handle || (unsigned)peer >= plain_communicator.size ||
               (unsigned)tag > (unsigned)mpishm.tag_ub || datatype != last_layout.datatype || !buffer))
    return NULL;
  int node_rank = plain_communicator.communicator->message_rank[peer];
  if (UNLIKELY(node_rank < 0))
    return NULL;
  struct endpoint *endpoint = &mpishm.endpoints[node_rank];
  ASSUME(endpoint);
  return endpoint;
}

static inline struct envelope plain_envelope(int tag, bool is_unrewritten) {
  return (struct envelope){plain_communicator.communicator->context | (is_unrewritten ? CONTEXT_UNREWRITTEN : 0), tag};
}

/* Bytes of so many elements of the datatype that was used last, once there is a plain_endpoint: else other threads may
 * write what that was. A negative count makes too many. */
static inline uint64_t plain_bytes(int count) { return (uint64_t)(unsigned)count * last_layout.piece_bytes; }

/* A standard send, to a plain_endpoint, of a message that fits a cell, where there is a free one. */
static inline bool plain_put(struct endpoint *endpoint, const void *buffer, uint64_t bytes, int tag,
                             bool is_unrewritten) {
  return bytes - 1 < INLINE_BYTES && !send_comes &&
         sender_put(&endpoint->sender, plain_envelope(tag, is_unrewritten), buffer, bytes);
}

/* The same of a longer one that is copied beside the cells, whether its request is completed now or later. */
static inline bool plain_put_longer(struct endpoint *endpoint, const void *buffer, uint64_t bytes, int tag,
                                    bool is_unrewritten) {
  struct sender *sender = &endpoint->sender;
  if (bytes <= INLINE_BYTES || bytes > mpishm.direct_limit || send_comes || sender->position >= sender->limit)
    return false;
  void *place = sender_reserve(sender, bytes);
  if (!place)
    return false;
  if (bytes < PUT_LONGER)
    copy_bytes(place, buffer, bytes);
  else
    put_longer(endpoint, place, buffer, bytes);
  sender_publish(sender, plain_envelope(tag, is_unrewritten), place, bytes);
  return true;
}

/* Either of them, if it is plain. */
static inline bool plain_send(const void *buffer, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                              bool is_unrewritten) {
  struct endpoint *endpoint = plain_endpoint(buffer, datatype, dest, tag, comm);
  if (!endpoint)
    return false;
  uint64_t bytes = plain_bytes(count);
  return plain_put(endpoint, buffer, bytes, tag, is_unrewritten) ||
         plain_put_longer(endpoint, buffer, bytes, tag, is_unrewritten);
}

/* So often a blocking receive of up to PLAIN_BYTES looks for its message before it posts: some hundred nanoseconds. */
enum { PLAIN_LOOKS = 32, PLAIN_BYTES = 2048 };

/* A blocking receive whose message is the next one of its sender, or soon will be, if it is a short one: nothing has to
 * be posted for it. */
static inline bool plain_take(void *buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                              MPI_Status *status, bool is_unrewritten) {
  struct endpoint *endpoint = plain_endpoint(buffer, datatype, source, tag, comm);
  if (UNLIKELY(!endpoint))
    return false;
  struct receiver *receiver = &endpoint->receiver;
  struct envelope envelope = plain_envelope(tag, is_unrewritten);
  uint64_t capacity = plain_bytes(count), bytes;
  if (UNLIKELY(capacity - 1 >= INT_MAX || !receiver->keeps_none || plain_communicator.communicator->waiting))
    return false;
  for (int looks = capacity <= PLAIN_BYTES ? PLAIN_LOOKS : 1; looks > 0; looks--) {
    if (receiver_take_next(receiver, envelope, buffer, capacity, &bytes)) {
      if (status != MPI_STATUS_IGNORE)
        status_fill_message(status, source, tag, bytes);
      return true;
    }
    if (receiver_has_something(receiver))
      return false;
    cpu_relax();
  }
  return false;
}

/* A receive for which no message is known to have come: posts it. */
static inline bool plain_receive(MPI_Request *request, void *buffer, int count, MPI_Datatype datatype, int source,
                                 int tag, MPI_Comm comm, const struct origin *by) {
  struct endpoint *endpoint = plain_endpoint(buffer, datatype, source, tag, comm);
  if (UNLIKELY(!endpoint))
    return false;
  struct communicator *communicator = plain_communicator.communicator;
  struct operation *op = request_pool.free;
  uint64_t bytes = plain_bytes(count);
  if (UNLIKELY(bytes - 1 >= INT_MAX || !endpoint->receiver.keeps_none || !op || !op->receive || request_pool.orphans ||
               communicator->waiting))
    return false;
  struct receive *receive = op->receive;
  struct envelope envelope = plain_envelope(tag, by->site != NULL);
  request_pool.free = op->next;
  *request = op->handle;
  operation_fill(op, communicator, endpoint, tag, by->site != NULL, buffer, buffer, count, source);
  receive_fill(op, receive, envelope, buffer, bytes, by);
  receiver_link(&endpoint->receiver, receive, envelope);
  return true;
}

/* ---- Persistent requests. ---- */

/* Where a message lies whose starts may be plain: of one piece, with a named rank of the node, its send a standard one.
 * NULL: they are not. */
static inline char *plain_piece(const struct persistent *what) {
  char *start;
  bool may = what->route.endpoint && what->mode == SEND_STANDARD && what->route.bytes - 1 < INT_MAX &&
             layout_piece(what->route.layout, (size_t)what->count, what->buffer, &start);
  return may ? start : NULL;
}

/* What stays from one plain start to the next. */
static inline void plain_fill(struct operation *op, struct persistent *what) {
  op->peer = what->peer;
  op->tag = what->tag;
  op->communicator = what->route.communicator;
  op->endpoint = what->route.endpoint;
  op->buffer = what->buffer;
  op->count = (size_t)what->count;
  op->piece = what->piece;
  op->layout = NULL;
  what->filled = true;
}

static inline bool plain_start_send(struct operation *op, struct persistent *what) {
  struct sender *sender = &what->route.endpoint->sender;
  struct envelope envelope = {what->context, what->tag};
  uint64_t bytes = what->route.bytes;
  if (UNLIKELY(send_comes) || sender->position >= sender->limit)
    return false;
  if (bytes <= INLINE_BYTES) {
    sender_put(sender, envelope, what->piece, bytes);
  } else {
    bool may = bytes <= mpishm.eager_limit && !may_stay_in_place(what->piece, bytes);
    void *place = may ? sender_reserve(sender, bytes) : NULL;
    if (!place)
      return false;
    if (bytes < PUT_LONGER)
      copy_bytes(place, what->piece, bytes);
    else
      put_longer(what->route.endpoint, place, what->piece, bytes);
    sender_publish(sender, envelope, place, bytes);
  }
  if (UNLIKELY(!what->filled))
    plain_fill(op, what);
  operation_reset(op, what->route.communicator, what->context & CONTEXT_UNREWRITTEN, true);
  return true;
}

static inline bool plain_start_receive(struct operation *op, struct persistent *what) {
  struct receiver *receiver = &what->route.endpoint->receiver;
  struct envelope envelope = {what->context, what->tag};
  if (UNLIKELY(!receiver->keeps_none || !op->receive || request_pool.orphans || what->route.communicator->waiting))
    return false;
  if (UNLIKELY(!what->filled)) {
    plain_fill(op, what);
    receive_fill(op, op->receive, envelope, what->piece, what->route.bytes, &what->by);
  }
  operation_reset(op, what->route.communicator, what->context & CONTEXT_UNREWRITTEN, false);
  op->fetch = NULL;
  op->fetched = 0;
  receiver_link(receiver, op->receive, envelope);
  return true;
}

/* Starts an inactive persistent request of this kind of code. */
static inline bool plain_start(MPI_Request request, bool is_unrewritten) {
  struct operation *op = request_expect(request);
  struct persistent *what = op ? op->persistent : NULL;
  if (UNLIKELY(!what || what->active || !what->piece || op->unrewritten != is_unrewritten))
    return false;
  what->active = what->is_send ? plain_start_send(op, what) : plain_start_receive(op, what);
  return what->active;
}

#endif
