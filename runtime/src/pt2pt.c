/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: sends and receives. Each decides the route, and hands to MPI what is not for the window.
 */
#include "mpishm.h"
#include "runtime.h"

typedef int blocking_send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int nonblocking_send(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/* Waits for an operation that no request stands for, and ends it. */
static int complete(struct operation *op, MPI_Status *status) {
  operation_wait(op);
  operation_status(op, status);
  int error = operation_raise(op);
  operation_clear(op);
  operation_destroy(op);
  return error;
}

static int no_memory(MPI_Comm comm) {
  PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
  return MPI_ERR_NO_MEM;
}

/* The call goes on in MPI, with this message. */
COLD static void continue_in_mpi(enum route_kind kind, bool is_send, int count, MPI_Datatype datatype, int peer,
                                 int tag, MPI_Comm comm) {
  if (mpishm.watching && kind == ROUTE_MPI)
    watch_mpi(is_send, count, datatype, peer, tag, comm);
  runtime_unlock();
}

/* ---- Sends. ---- */

/* Entered already; ends the call. A blocking function of MPI cannot be watched: where that is wanted, the nonblocking
 * one and a wait do the same. */
COLD static int send_in_mpi(enum route_kind kind, const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            MPI_Comm comm, blocking_send *blocking, nonblocking_send *nonblocking) {
  MPI_Request request;
  continue_in_mpi(kind, true, count, datatype, dest, tag, comm);
  if (kind == ROUTE_INVALID || !mpishm.watching || !watch_waits())
    return runtime_return(blocking(buf, count, datatype, dest, tag, comm));
  int error = nonblocking(buf, count, datatype, dest, tag, comm, &request);
  if (error == MPI_SUCCESS) {
    watch_mpi_wait(1, &request, true);
    error = MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return runtime_return(error);
}

/* Entered already; ends the call. */
static int send_blocking(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         enum send_mode mode, blocking_send *blocking, nonblocking_send *nonblocking) {
  struct route route;
  struct operation op;
  enum route_kind kind = route_find(&route, buf, count, datatype, dest, tag, comm, false);
  if (UNLIKELY(kind != ROUTE_NODE))
    return send_in_mpi(kind, buf, count, datatype, dest, tag, comm, blocking, nonblocking);
  int error = MPI_SUCCESS;
  if (!send_eager(route, buf, count, tag, mode, mpishm.eager_limit)) {
    operation_init(&op);
    send_start(&op, route, buf, count, datatype, dest, tag, mode);
    error = complete(&op, MPI_STATUS_IGNORE);
  }
  runtime_leave();
  return error;
}

HOT int MPISHM_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  runtime_enter(CALL_SEND);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, MPI_Send, MPI_Isend);
}

int MPISHM_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  runtime_enter(CALL_SSEND);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_SYNCHRONOUS, MPI_Ssend, MPI_Issend);
}

int MPISHM_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  runtime_enter(CALL_BSEND);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_BUFFERED, MPI_Bsend, MPI_Ibsend);
}

int MPISHM_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  runtime_enter(CALL_RSEND);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, MPI_Rsend, MPI_Irsend);
}

/* Entered already; ends the call. */
static int send_nonblocking(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                            MPI_Request *request, enum send_mode mode, nonblocking_send *through_mpi) {
  struct route route;
  struct operation *op;
  enum route_kind kind =
      UNLIKELY(!request) ? ROUTE_INVALID : route_find(&route, buf, count, datatype, dest, tag, comm, false);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, true, count, datatype, dest, tag, comm);
    return runtime_return_request(through_mpi(buf, count, datatype, dest, tag, comm, request), request);
  }
  if (send_eager(route, buf, count, tag, mode, nonblocking_limit(buf, route.bytes))) {
    *request = sent_request;
  } else {
    if (UNLIKELY((op = request_new()) == NULL)) {
      runtime_leave();
      return no_memory(comm);
    }
    send_start(op, route, buf, count, datatype, dest, tag, mode);
    *request = op->handle;
  }
  runtime_leave();
  return MPI_SUCCESS;
}

HOT int MPISHM_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     MPI_Request *request) {
  runtime_enter(CALL_ISEND);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, MPI_Isend);
}

int MPISHM_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  runtime_enter(CALL_ISSEND);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_SYNCHRONOUS, MPI_Issend);
}

int MPISHM_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  runtime_enter(CALL_IBSEND);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_BUFFERED, MPI_Ibsend);
}

int MPISHM_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  runtime_enter(CALL_IRSEND);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, MPI_Irsend);
}

/* ---- Receives. ---- */

HOT int MPISHM_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                    MPI_Status *status) {
  struct route route;
  struct operation op;
  runtime_enter(CALL_RECV);
  enum route_kind kind = route_find(&route, buf, count, datatype, source, tag, comm, true);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, false, count, datatype, source, tag, comm);
    if (mpishm.watching)
      watch_mpi_receive(source, tag, comm);
    return runtime_return(MPI_Recv(buf, count, datatype, source, tag, comm, status));
  }
  operation_init(&op);
  receive_start(&op, route, buf, count, datatype, source, tag);
  int error = complete(&op, status);
  runtime_leave();
  return error;
}

HOT int MPISHM_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                     MPI_Request *request) {
  struct route route;
  struct operation *op;
  runtime_enter(CALL_IRECV);
  enum route_kind kind =
      UNLIKELY(!request) ? ROUTE_INVALID : route_find(&route, buf, count, datatype, source, tag, comm, true);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, false, count, datatype, source, tag, comm);
    return runtime_return_request(MPI_Irecv(buf, count, datatype, source, tag, comm, request), request);
  }
  if (UNLIKELY((op = request_new()) == NULL)) {
    runtime_leave();
    return no_memory(comm);
  }
  receive_start(op, route, buf, count, datatype, source, tag);
  *request = op->handle;
  runtime_leave();
  return MPI_SUCCESS;
}

/* ---- Both. ---- */

/* MPI_Sendrecv in steps, so that the wait can be watched. */
static int exchange_in_mpi(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                           void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                           MPI_Status *status) {
  MPI_Request requests[2];
  int error = MPI_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &requests[0]);
  if (error != MPI_SUCCESS)
    return error;
  error = MPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &requests[1]);
  if (error != MPI_SUCCESS) {
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    return error;
  }
  watch_mpi_wait(2, requests, true);
  int send_error = MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  error = MPI_Wait(&requests[0], status);
  return error == MPI_SUCCESS ? send_error : error;
}

/* Sendrecv, entered already; ends the call. */
static int exchange(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  struct route send_route, receive_route;
  struct operation send, receive;
  MPI_Request mpi_request = MPI_REQUEST_NULL;
  operation_init(&send);
  operation_init(&receive);
  enum route_kind out = route_find(&send_route, sendbuf, sendcount, sendtype, dest, sendtag, comm, false);
  enum route_kind in = route_find(&receive_route, recvbuf, recvcount, recvtype, source, recvtag, comm, true);
  bool valid = out != ROUTE_INVALID && in != ROUTE_INVALID;
  if (mpishm.watching && valid && out == ROUTE_MPI)
    watch_mpi(true, sendcount, sendtype, dest, sendtag, comm);
  if (mpishm.watching && valid && in == ROUTE_MPI)
    watch_mpi(false, recvcount, recvtype, source, recvtag, comm);
  if (!valid || (out == ROUTE_MPI && in == ROUTE_MPI)) {
    runtime_unlock();
    if (valid && mpishm.watching && watch_waits() && source != MPI_PROC_NULL)
      return runtime_return(exchange_in_mpi(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                                            source, recvtag, comm, status));
    return runtime_return(MPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                                       source, recvtag, comm, status));
  }
  /* At most one half goes through MPI: it is started first, so that an argument it refuses stops the whole. A receive
   * from nobody is done at once, by the blocking call: some MPIs give its nonblocking form another status. */
  int error = MPI_SUCCESS;
  if (source == MPI_PROC_NULL)
    error = MPI_Recv(recvbuf, recvcount, recvtype, source, recvtag, comm, status);
  else if (in == ROUTE_MPI)
    error = MPI_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &mpi_request);
  else if (out == ROUTE_MPI)
    error = MPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &mpi_request);
  if (error == MPI_SUCCESS) {
    if (in == ROUTE_NODE)
      receive_start(&receive, receive_route, recvbuf, recvcount, recvtype, source, recvtag);
    if (out == ROUTE_NODE && !send_eager(send_route, sendbuf, sendcount, sendtag, SEND_STANDARD, mpishm.eager_limit)) {
      send_start(&send, send_route, sendbuf, sendcount, sendtype, dest, sendtag, SEND_STANDARD);
      error = complete(&send, MPI_STATUS_IGNORE);
    }
    int receive_error = in == ROUTE_NODE ? complete(&receive, status) : MPI_SUCCESS;
    if (error == MPI_SUCCESS)
      error = receive_error;
  }
  runtime_unlock();
  if (mpi_request != MPI_REQUEST_NULL) {
    if (mpishm.watching)
      watch_mpi_wait(1, &mpi_request, true);
    int mpi_error = MPI_Wait(&mpi_request, in == ROUTE_MPI ? status : MPI_STATUS_IGNORE);
    if (error == MPI_SUCCESS)
      error = mpi_error;
  }
  return runtime_return(error);
}

int MPISHM_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  runtime_enter(CALL_SENDRECV);
  return exchange(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                  status);
}

int MPISHM_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                            MPI_Comm comm, MPI_Status *status) {
  struct route out, in;
  runtime_enter(CALL_SENDRECV_REPLACE);
  enum route_kind out_kind = route_find(&out, buf, count, datatype, dest, sendtag, comm, false);
  enum route_kind in_kind = route_find(&in, buf, count, datatype, source, recvtag, comm, true);
  const struct route *known = out_kind == ROUTE_NODE ? &out : &in;
  bool ours = (out_kind == ROUTE_NODE || in_kind == ROUTE_NODE) && out_kind != ROUTE_INVALID &&
              in_kind != ROUTE_INVALID && known->bytes <= INT32_MAX;
  void *copy = ours ? malloc(known->bytes + 1) : NULL;
  if (copy)
    gather(known->layout, buf, (size_t)count, copy, known->bytes);
  if (!ours && mpishm.watching) {
    if (out_kind == ROUTE_MPI)
      watch_mpi(true, count, datatype, dest, sendtag, comm);
    if (in_kind == ROUTE_MPI)
      watch_mpi(false, count, datatype, source, recvtag, comm);
  }
  if (!copy) {
    runtime_unlock();
    return runtime_return(
        ours ? no_memory(comm)
             : MPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status));
  }
  /* What was packed may be received with the datatype that it was packed from (MPI 3.1, 4.2). */
  int error =
      exchange(copy, (int)known->bytes, MPI_PACKED, dest, sendtag, buf, count, datatype, source, recvtag, comm, status);
  free(copy);
  return error;
}
