/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: a send and a receive in one call, blocking and not.
 */
#include "messages/receiving.h"
#include "messages/sending.h"
#include "messages/through_mpi.h"
#include "mpishm.h"
#include "next/next.h"
#include "requests/pairs.h"
#include "requests/plain.h"
#include "requests/requests.h"
#include "watch/enter.h"

#include <limits.h>
#include <stdlib.h>

/* One of the two messages of a call. */
struct half {
  const void *buffer;
  MPI_Count count;
  MPI_Datatype datatype;
  int peer, tag;
  enum route_kind kind;
  struct route route;
};

static void find_route(struct half *half, MPI_Comm comm, bool receive) {
  half->kind =
      route_find(&half->route, half->buffer, half->count, half->datatype, half->peer, half->tag, comm, receive);
}

static void watch_half(const struct half *half, MPI_Comm comm, bool receive) {
  if (half->kind == ROUTE_MPI)
    watch_mpi(!receive, half->count, half->datatype, half->peer, half->tag, comm);
}

/* Finds both routes. NULL when the whole call is MPI's, to do or to refuse. */
static struct communicator *find_routes(struct half *send, struct half *receive, MPI_Comm comm) {
  find_route(send, comm, false);
  find_route(receive, comm, true);
  if (UNLIKELY(mpishm.watching) && send->kind != ROUTE_INVALID && receive->kind != ROUTE_INVALID) {
    watch_half(send, comm, false);
    watch_half(receive, comm, true);
  }
  if (send->kind == ROUTE_INVALID || receive->kind == ROUTE_INVALID)
    return NULL;
  return send->kind == ROUTE_NODE ? send->route.communicator : receive->route.communicator;
}

/* Starts the half that goes through MPI, if one does. Before the other one, so that an argument that MPI refuses stops
 * the whole. A receive from nobody is done at once, by the blocking call: some MPIs give its nonblocking form another
 * status. */
static int start_mpi_half(const struct half *send, const struct half *receive, MPI_Comm comm, MPI_Request *request,
                          MPI_Status *status) {
  int count = receive->count <= INT_MAX ? (int)receive->count : 0;
  if (receive->peer == MPI_PROC_NULL)
    return mpi_first.Recv((void *)receive->buffer, count, receive->datatype, receive->peer, receive->tag, comm, status);
  if (receive->kind == ROUTE_MPI)
    return irecv_through_mpi((void *)receive->buffer, receive->count, receive->datatype, receive->peer, receive->tag,
                             comm, request);
  if (send->kind == ROUTE_MPI)
    return isend_through_mpi(send->buffer, send->count, send->datatype, send->peer, send->tag, comm, false, request);
  return MPI_SUCCESS;
}

static void start_receive(struct operation *op, const struct half *receive) {
  receive_start(op, receive->route, envelope_of(receive->route.communicator, receive->tag), (void *)receive->buffer,
                receive->count, receive->datatype, receive->peer, &unrewritten);
}

/* False when the send was complete at once, and `op` is not needed. */
static bool start_send(struct operation *op, const struct half *send) {
  struct envelope envelope = envelope_of(send->route.communicator, send->tag);
  if (send_eager(send->route, envelope, send->buffer, send->count, SEND_STANDARD, mpishm.eager_limit))
    return false;
  send_start(op, send->route, envelope, send->buffer, send->count, send->peer, SEND_STANDARD);
  return true;
}

/* A private, packed copy of what is sent takes the place of the buffer, where the buffer is to be received into. What
 * was packed may be received with the datatype that it was packed from (MPI 3.1, 4.2). NULL when there is no memory. */
static void *send_copy(struct half *send, const struct half *receive, MPI_Comm comm) {
  const struct route *known = send->kind == ROUTE_NODE ? &send->route : &receive->route;
  size_t bytes = known->bytes;
  void *copy = malloc(bytes + 1);
  if (!copy)
    return NULL;
  gather(known->layout, send->buffer, (size_t)send->count, copy, bytes);
  send->buffer = copy;
  send->count = (MPI_Count)bytes;
  send->datatype = MPI_PACKED;
  find_route(send, comm, false);
  return copy;
}

/* ---- Blocking. ---- */

/* MPI_Sendrecv in steps, so that the wait can be watched. */
static int exchange_in_mpi(const struct half *send, const struct half *receive, MPI_Comm comm, MPI_Status *status) {
  MPI_Request requests[2];
  int error = irecv_through_mpi((void *)receive->buffer, receive->count, receive->datatype, receive->peer, receive->tag,
                                comm, &requests[0]);
  if (error != MPI_SUCCESS)
    return error;
  error =
      isend_through_mpi(send->buffer, send->count, send->datatype, send->peer, send->tag, comm, false, &requests[1]);
  if (error != MPI_SUCCESS) {
    mpi_first.Cancel(&requests[0]);
    mpi_first.Wait(&requests[0], MPI_STATUS_IGNORE);
    return error;
  }
  watch_mpi_wait(2, requests, true);
  int send_error = mpi_first.Wait(&requests[1], MPI_STATUS_IGNORE);
  error = mpi_first.Wait(&requests[0], status);
  return error == MPI_SUCCESS ? send_error : error;
}

/* Entered already. False when the call is MPI's; then it is left to MPI. `replace`: both halves have one buffer. */
static bool sendrecv(struct half *send, struct half *receive, bool replace, MPI_Comm comm, MPI_Status *status,
                     int *error) {
  struct operation send_op, receive_op;
  MPI_Request mpi_request = MPI_REQUEST_NULL;
  void *copy = NULL;
  if (!find_routes(send, receive, comm)) {
    bool in_steps = UNLIKELY(mpishm.watching) && watch_waits() && !replace && receive->peer != MPI_PROC_NULL &&
                    send->kind == ROUTE_MPI && receive->kind == ROUTE_MPI;
    runtime_unlock();
    if (in_steps)
      *error = runtime_return(exchange_in_mpi(send, receive, comm, status));
    return in_steps;
  }
  if (replace && (copy = send_copy(send, receive, comm)) == NULL) {
    runtime_leave();
    *error = raise_no_memory(comm);
    return true;
  }
  operation_init(&send_op);
  operation_init(&receive_op);
  *error = start_mpi_half(send, receive, comm, &mpi_request, status);
  if (*error == MPI_SUCCESS) {
    if (receive->kind == ROUTE_NODE)
      start_receive(&receive_op, receive);
    if (send->kind == ROUTE_NODE && start_send(&send_op, send)) {
      if (receive->kind == ROUTE_NODE) /* the send may be what the receive waits for, with oneself and in a circle */
        operations_persist(&send_op, &receive_op);
      *error = operation_complete(&send_op, ERROR_IN_CALL, MPI_STATUS_IGNORE);
    }
    int receive_error =
        receive->kind == ROUTE_NODE ? operation_complete(&receive_op, ERROR_IN_CALL, status) : MPI_SUCCESS;
    if (*error == MPI_SUCCESS)
      *error = receive_error;
  }
  runtime_unlock();
  if (mpi_request != MPI_REQUEST_NULL) {
    if (mpishm.watching)
      watch_mpi_wait(1, &mpi_request, true);
    int mpi_error = mpi_first.Wait(&mpi_request, receive->kind == ROUTE_MPI ? status : MPI_STATUS_IGNORE);
    if (*error == MPI_SUCCESS)
      *error = mpi_error;
  }
  free(copy);
  *error = runtime_return(*error);
  return true;
}

/* Sends first, if that is a plain_send and the arguments of the receive are such that it may be plain, too: what is
 * sent is gone from its buffer before the receive begins, and the send waits for nothing. */
NOINLINE HOT static bool plain_sent_before(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
                                           int sendtag, const void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                           int source, int recvtag, MPI_Comm comm) {
  return !unrewritten.site && plain_endpoint(recvbuf, recvtype, source, recvtag, comm) &&
         plain_bytes(recvcount) - 1 < INT_MAX && plain_send(sendbuf, sendcount, sendtype, dest, sendtag, comm, false);
}

#define COUNTED "point_to_point/sendrecv_calls.h"
#include "point_to_point/counted.h"

/* ---- Not blocking: one request for two messages. ---- */

#ifdef MPISHM_HAVE_ISENDRECV

/* Gives back what was never started. */
static void discard_pair(struct operation *op) {
  if (op->pair->send)
    request_discard(op->pair->send);
  if (op->pair->receive)
    request_discard(op->pair->receive);
  pair_free(op);
  request_discard(op);
}

/* NULL when there is no memory. */
static struct operation *make_pair(struct half *send, struct half *receive, bool replace, MPI_Comm comm) {
  struct operation *op = request_new();
  struct pair *pair = op ? calloc(1, sizeof *pair) : NULL;
  if (!pair) {
    if (op)
      request_discard(op);
    return NULL;
  }
  pair->mpi = MPI_REQUEST_NULL;
  pair->copy = replace ? send_copy(send, receive, comm) : NULL;
  pair->send = send->kind == ROUTE_NODE ? request_new() : NULL;
  pair->receive = receive->kind == ROUTE_NODE ? request_new() : NULL;
  op->pair = pair;
  if ((!replace || pair->copy) && (send->kind != ROUTE_NODE || pair->send) &&
      (receive->kind != ROUTE_NODE || pair->receive))
    return op;
  discard_pair(op);
  return NULL;
}

static void start_pair(struct operation *op, struct communicator *communicator, const struct half *send,
                       const struct half *receive) {
  struct pair *pair = op->pair;
  operation_reset(op, communicator, unrewritten.site != NULL, false);
  pair_begin(op);
  op->mpi = MPI_REQUEST_NULL;
  op->layout = NULL;
  op->fetch = NULL;
  op->path = PATH_NONE; /* its halves count */
  if (UNLIKELY(mpishm.watching)) {
    op->call = watch_call()->call;
    op->site = watch_call()->site;
  }
  op->peer = receive->peer;
  op->tag = receive->tag;
  op->communicator = communicator;
  if (pair->receive)
    start_receive(pair->receive, receive);
  if (pair->send && !start_send(pair->send, send)) {
    request_discard(pair->send);
    pair->send = NULL;
  }
}

/* Entered already. False when the call is MPI's; then it is left to MPI. */
static bool isendrecv(struct half *send, struct half *receive, bool replace, MPI_Comm comm, MPI_Request *request,
                      int *error) {
  struct communicator *communicator = request ? find_routes(send, receive, comm) : NULL;
  if (!communicator) {
    runtime_unlock();
    return false;
  }
  struct operation *op = make_pair(send, receive, replace, comm);
  *error = op ? start_mpi_half(send, receive, comm, &op->pair->mpi, &op->pair->status) : MPI_ERR_NO_MEM;
  if (*error == MPI_SUCCESS) {
    start_pair(op, communicator, send, receive);
    *request = op->handle;
  } else if (op) {
    discard_pair(op);
  }
  runtime_leave();
  if (!op)
    raise_no_memory(comm);
  return true;
}

#define COUNTED "point_to_point/isendrecv_calls.h"
#include "point_to_point/counted.h"

#endif
