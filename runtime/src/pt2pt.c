/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: sends and receives. Each decides the route, and hands to MPI what is not for the window.
 */
#include "mpishm.h"
#include "runtime.h"

/* MPI's own functions for a call, with small counts and with large ones (MPI 4); of each two one is NULL. */
typedef int blocking_send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int blocking_send_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
typedef int nonblocking_send(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int nonblocking_send_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int blocking_receive(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
typedef int blocking_receive_c(void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
typedef int nonblocking_receive(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int nonblocking_receive_c(void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

struct mpi_send {
  blocking_send *blocking;
  nonblocking_send *start;
  blocking_send_c *blocking_c;
  nonblocking_send_c *start_c;
};

/* The call goes on in MPI, with this message. */
COLD static void continue_in_mpi(enum route_kind kind, bool is_send, MPI_Count count, MPI_Datatype datatype, int peer,
                                 int tag, MPI_Comm comm) {
  if (mpishm.watching && kind == ROUTE_MPI)
    watch_mpi(is_send, count, datatype, peer, tag, comm);
  runtime_unlock();
}

/* ---- Sends. ---- */

/* Entered already; ends the call. A blocking function of MPI cannot be watched: where that is wanted, the nonblocking
 * one and a wait do the same. */
COLD static int send_in_mpi(enum route_kind kind, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
                            int tag, MPI_Comm comm, const struct mpi_send *mpi) {
  MPI_Request request;
  continue_in_mpi(kind, true, count, datatype, dest, tag, comm);
  if (kind == ROUTE_INVALID || !mpishm.watching || !watch_waits())
    return runtime_return(mpi->blocking ? mpi->blocking(buf, (int)count, datatype, dest, tag, comm)
                                        : mpi->blocking_c(buf, count, datatype, dest, tag, comm));
  int error = mpi->start ? mpi->start(buf, (int)count, datatype, dest, tag, comm, &request)
                         : mpi->start_c(buf, count, datatype, dest, tag, comm, &request);
  if (error == MPI_SUCCESS) {
    watch_mpi_wait(1, &request, true);
    error = MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return runtime_return(error);
}

/* Entered already; ends the call. */
static inline int send_blocking(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                                MPI_Comm comm, enum send_mode mode, const struct mpi_send *mpi) {
  struct route route;
  struct operation op;
  enum route_kind kind = route_find(&route, buf, count, datatype, dest, tag, comm, false);
  if (UNLIKELY(kind != ROUTE_NODE))
    return send_in_mpi(kind, buf, count, datatype, dest, tag, comm, mpi);
  int error = MPI_SUCCESS;
  if (!send_eager(route, buf, count, tag, mode, mpishm.eager_limit)) {
    operation_init(&op);
    send_start(&op, route, buf, count, datatype, dest, tag, mode);
    error = operation_complete(&op, MPI_STATUS_IGNORE);
  }
  runtime_leave();
  return error;
}

HOT int MPISHM_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking = MPI_Send, .start = MPI_Isend};
  runtime_enter(CALL_SEND);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, &mpi);
}

int MPISHM_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking = MPI_Ssend, .start = MPI_Issend};
  runtime_enter(CALL_SSEND);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_SYNCHRONOUS, &mpi);
}

int MPISHM_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking = MPI_Bsend, .start = MPI_Ibsend};
  runtime_enter(CALL_BSEND);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_BUFFERED, &mpi);
}

int MPISHM_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking = MPI_Rsend, .start = MPI_Irsend};
  runtime_enter(CALL_RSEND);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, &mpi);
}

/* Entered already; ends the call. */
static inline int send_nonblocking(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                                   MPI_Comm comm, MPI_Request *request, enum send_mode mode, nonblocking_send *mpi,
                                   nonblocking_send_c *mpi_c) {
  struct route route;
  struct operation *op;
  enum route_kind kind =
      UNLIKELY(!request) ? ROUTE_INVALID : route_find(&route, buf, count, datatype, dest, tag, comm, false);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, true, count, datatype, dest, tag, comm);
    return runtime_return_request(mpi ? mpi(buf, (int)count, datatype, dest, tag, comm, request)
                                      : mpi_c(buf, count, datatype, dest, tag, comm, request),
                                  request);
  }
  if (send_eager(route, buf, count, tag, mode, nonblocking_limit(buf, route.bytes))) {
    *request = sent_request;
  } else {
    if (UNLIKELY((op = request_new()) == NULL)) {
      runtime_leave();
      return raise_no_memory(comm);
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
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, MPI_Isend, NULL);
}

int MPISHM_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  runtime_enter(CALL_ISSEND);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_SYNCHRONOUS, MPI_Issend, NULL);
}

int MPISHM_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  runtime_enter(CALL_IBSEND);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_BUFFERED, MPI_Ibsend, NULL);
}

int MPISHM_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  runtime_enter(CALL_IRSEND);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, MPI_Irsend, NULL);
}

/* ---- Receives. ---- */

/* Entered already; ends the call. */
static inline int receive_blocking(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                                   MPI_Comm comm, MPI_Status *status, blocking_receive *mpi,
                                   blocking_receive_c *mpi_c) {
  struct route route;
  struct operation op;
  enum route_kind kind = route_find(&route, buf, count, datatype, source, tag, comm, true);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, false, count, datatype, source, tag, comm);
    if (mpishm.watching)
      watch_mpi_receive(source, tag, comm);
    return runtime_return(mpi ? mpi(buf, (int)count, datatype, source, tag, comm, status)
                              : mpi_c(buf, count, datatype, source, tag, comm, status));
  }
  operation_init(&op);
  receive_start(&op, route, buf, count, datatype, source, tag);
  int error = operation_complete(&op, status);
  runtime_leave();
  return error;
}

HOT int MPISHM_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                    MPI_Status *status) {
  runtime_enter(CALL_RECV);
  return receive_blocking(buf, count, datatype, source, tag, comm, status, MPI_Recv, NULL);
}

/* Entered already; ends the call. */
static inline int receive_nonblocking(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                                      MPI_Comm comm, MPI_Request *request, nonblocking_receive *mpi,
                                      nonblocking_receive_c *mpi_c) {
  struct route route;
  struct operation *op;
  enum route_kind kind =
      UNLIKELY(!request) ? ROUTE_INVALID : route_find(&route, buf, count, datatype, source, tag, comm, true);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, false, count, datatype, source, tag, comm);
    return runtime_return_request(mpi ? mpi(buf, (int)count, datatype, source, tag, comm, request)
                                      : mpi_c(buf, count, datatype, source, tag, comm, request),
                                  request);
  }
  if (UNLIKELY((op = request_new()) == NULL)) {
    runtime_leave();
    return raise_no_memory(comm);
  }
  receive_start(op, route, buf, count, datatype, source, tag);
  *request = op->handle;
  runtime_leave();
  return MPI_SUCCESS;
}

HOT int MPISHM_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                     MPI_Request *request) {
  runtime_enter(CALL_IRECV);
  return receive_nonblocking(buf, count, datatype, source, tag, comm, request, MPI_Irecv, NULL);
}

/* ---- Large counts. ---- */

#if MPI_VERSION >= 4

int MPISHM_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking_c = MPI_Send_c, .start_c = MPI_Isend_c};
  runtime_enter(CALL_SEND_C);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, &mpi);
}

int MPISHM_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking_c = MPI_Ssend_c, .start_c = MPI_Issend_c};
  runtime_enter(CALL_SSEND_C);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_SYNCHRONOUS, &mpi);
}

int MPISHM_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking_c = MPI_Bsend_c, .start_c = MPI_Ibsend_c};
  runtime_enter(CALL_BSEND_C);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_BUFFERED, &mpi);
}

int MPISHM_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking_c = MPI_Rsend_c, .start_c = MPI_Irsend_c};
  runtime_enter(CALL_RSEND_C);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, &mpi);
}

int MPISHM_Isend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request) {
  runtime_enter(CALL_ISEND_C);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, NULL, MPI_Isend_c);
}

int MPISHM_Issend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request) {
  runtime_enter(CALL_ISSEND_C);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_SYNCHRONOUS, NULL, MPI_Issend_c);
}

int MPISHM_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request) {
  runtime_enter(CALL_IBSEND_C);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_BUFFERED, NULL, MPI_Ibsend_c);
}

int MPISHM_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request) {
  runtime_enter(CALL_IRSEND_C);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, NULL, MPI_Irsend_c);
}

int MPISHM_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Status *status) {
  runtime_enter(CALL_RECV_C);
  return receive_blocking(buf, count, datatype, source, tag, comm, status, NULL, MPI_Recv_c);
}

int MPISHM_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request) {
  runtime_enter(CALL_IRECV_C);
  return receive_nonblocking(buf, count, datatype, source, tag, comm, request, NULL, MPI_Irecv_c);
}

#endif
