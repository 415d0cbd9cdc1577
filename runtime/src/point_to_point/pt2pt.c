/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: sends and receives. Each decides the route, and hands to MPI what is not for the window.
 */
#include "messages/receiving.h"
#include "messages/sending.h"
#include "mpishm.h"
#include "next/next.h"
#include "packing/packing.h"
#include "point_to_point/at_once.h"
#include "point_to_point/completion.h"
#include "requests/plain.h"
#include "requests/requests.h"
#include "watch/enter.h"

/* Whose a call of rewritten code is, where the compiler is to know that. */
static const struct origin rewritten_code;

/* Where to find MPI's own functions for a call, with small counts and with large ones (MPI 4); of each two one is NULL.
 */
typedef int blocking_send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int blocking_send_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
typedef int nonblocking_send(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int nonblocking_send_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int blocking_receive(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
typedef int blocking_receive_c(void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
typedef int nonblocking_receive(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int nonblocking_receive_c(void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

struct mpi_send {
  blocking_send **blocking;
  blocking_send_c **blocking_c;
  nonblocking_send **start;
  nonblocking_send_c **start_c;
};
struct mpi_receive {
  blocking_receive **blocking;
  blocking_receive_c **blocking_c;
  nonblocking_receive **start;
  nonblocking_receive_c **start_c;
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
    return runtime_return(mpi->blocking ? (*mpi->blocking)(buf, (int)count, datatype, dest, tag, comm)
                                        : (*mpi->blocking_c)(buf, count, datatype, dest, tag, comm));
  int error = mpi->start ? (*mpi->start)(buf, (int)count, datatype, dest, tag, comm, &request)
                         : (*mpi->start_c)(buf, count, datatype, dest, tag, comm, &request);
  if (error == MPI_SUCCESS) {
    watch_mpi_wait(1, &request, true);
    error = mpi_first.Wait(&request, MPI_STATUS_IGNORE);
  }
  return runtime_return(error);
}

/* Entered already; ends the call. `packed`: the message may lie in its receive already. */
static inline int send_blocking(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                                MPI_Comm comm, enum send_mode mode, bool packed, const struct mpi_send *mpi,
                                const struct origin *by) {
  struct route route;
  struct operation op;
  enum route_kind kind = route_find(&route, buf, count, datatype, dest, tag, comm, false);
  if (UNLIKELY(kind != ROUTE_NODE))
    return send_in_mpi(kind, buf, count, datatype, dest, tag, comm, mpi);
  int error = MPI_SUCCESS;
  struct envelope envelope = envelope_by(by, route.communicator, tag);
  if (!(packed && packed_send(route, envelope, buf)) &&
      !send_eager(route, envelope, buf, count, mode, mpishm.eager_limit)) {
    operation_init(&op);
    send_start(&op, route, envelope, buf, count, dest, mode);
    error = operation_complete(&op, ERROR_IN_CALL, MPI_STATUS_IGNORE);
  }
  runtime_leave();
  return error;
}

/* Entered already; ends the call. */
static inline int send_nonblocking(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                                   MPI_Comm comm, MPI_Request *request, enum send_mode mode, bool packed,
                                   const struct mpi_send *mpi, const struct origin *by) {
  struct route route;
  struct operation *op;
  enum route_kind kind =
      UNLIKELY(!request) ? ROUTE_INVALID : route_find(&route, buf, count, datatype, dest, tag, comm, false);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, true, count, datatype, dest, tag, comm);
    return runtime_return_request(mpi->start ? (*mpi->start)(buf, (int)count, datatype, dest, tag, comm, request)
                                             : (*mpi->start_c)(buf, count, datatype, dest, tag, comm, request),
                                  request);
  }
  struct envelope envelope = envelope_by(by, route.communicator, tag);
  if ((packed && packed_send(route, envelope, buf)) ||
      send_eager(route, envelope, buf, count, mode, nonblocking_limit(route.endpoint, buf, route.bytes))) {
    *request = sent_requests[envelope.context & CONTEXT_UNREWRITTEN];
  } else {
    if (UNLIKELY((op = request_new()) == NULL)) {
      runtime_leave();
      return raise_no_memory(comm);
    }
    send_start(op, route, envelope, buf, count, dest, mode);
    *request = op->handle;
  }
  runtime_leave();
  return MPI_SUCCESS;
}

/* ---- Receives. ---- */

/* Entered already; ends the call. */
static inline int receive_blocking(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                                   MPI_Comm comm, MPI_Status *status, const struct mpi_receive *mpi,
                                   const struct origin *by) {
  struct route route;
  struct operation op;
  enum route_kind kind = route_find(&route, buf, count, datatype, source, tag, comm, true);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, false, count, datatype, source, tag, comm);
    if (mpishm.watching)
      watch_mpi_receive(source, tag, comm);
    return runtime_return(mpi->blocking ? (*mpi->blocking)(buf, (int)count, datatype, source, tag, comm, status)
                                        : (*mpi->blocking_c)(buf, count, datatype, source, tag, comm, status));
  }
  operation_init(&op);
  receive_start(&op, route, envelope_by(by, route.communicator, tag), buf, count, datatype, source, by);
  int error = operation_complete(&op, ERROR_IN_CALL, status);
  runtime_leave();
  return error;
}

/* Entered already; ends the call. */
static inline int receive_nonblocking(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                                      MPI_Comm comm, MPI_Request *request, const struct mpi_receive *mpi,
                                      const struct origin *by) {
  struct route route;
  struct operation *op;
  enum route_kind kind =
      UNLIKELY(!request) ? ROUTE_INVALID : route_find(&route, buf, count, datatype, source, tag, comm, true);
  if (UNLIKELY(kind != ROUTE_NODE)) {
    continue_in_mpi(kind, false, count, datatype, source, tag, comm);
    return runtime_return_request(mpi->start ? (*mpi->start)(buf, (int)count, datatype, source, tag, comm, request)
                                             : (*mpi->start_c)(buf, count, datatype, source, tag, comm, request),
                                  request);
  }
  if (UNLIKELY((op = request_new()) == NULL)) {
    runtime_leave();
    return raise_no_memory(comm);
  }
  receive_start(op, route, envelope_by(by, route.communicator, tag), buf, count, datatype, source, by);
  *request = op->handle;
  runtime_leave();
  return MPI_SUCCESS;
}

/* Waits for a plain_receive of a blocking call, and ends it; returns its error, raised. */
static inline int plain_received(MPI_Request *request, MPI_Status *status, bool is_unrewritten) {
  if (finish_plain(request, status, is_unrewritten))
    return MPI_SUCCESS;
  struct operation *op = request_find(*request);
  operation_wait(op);
  return finish_and_raise(op, ERROR_IN_CALL, request, status);
}

/* ---- Messages that were packed where they are received. (Where one was, send_comes is set, and none is plain.) ----
 */

int MPISHM_Send_packed(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.blocking = &mpi_first.Send, .start = &mpi_first.Isend};
  packing_forget();
  if (!unrewritten.site && plain_send(buf, count, datatype, dest, tag, comm, false))
    return MPI_SUCCESS;
  runtime_enter(CALL_SEND_PACKED);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, true, &mpi, &unrewritten);
}

HOT int MPISHM_Isend_packed(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  static const struct mpi_send mpi = {.start = &mpi_first.Isend};
  packing_forget();
  if (request && !unrewritten.site && plain_send(buf, count, datatype, dest, tag, comm, false)) {
    *request = sent_requests[0];
    return MPI_SUCCESS;
  }
  runtime_enter(CALL_ISEND_PACKED);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, true, &mpi, &unrewritten);
}

#define COUNTED "point_to_point/pt2pt_calls.h"
#include "point_to_point/counted.h"
