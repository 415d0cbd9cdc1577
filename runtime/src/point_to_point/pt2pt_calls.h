/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of pt2pt.c, for counted.h. The most frequent ones are in two parts: what is not plain
 * (requests/plain.h) goes on in a function of its own, so that what is need not make room for that. Plain sends that do
 * not fit a cell have a third, which is handed what is known by then in place of the datatype and the communicator.
 */
#define IS_PLAIN(condition) (!IS_LARGE && (condition))
NOINLINE HOT static int FORM(send_any)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
                                       MPI_Comm comm) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Send), .FORM(start) = &mpi_first.FORM(Isend)};
  runtime_enter_come(CALL(SEND), 0, NULL);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, false, &mpi, &unrewritten);
}

NOINLINE HOT static int FORM(send_longer)(const void *buf, COUNT count, struct endpoint *endpoint, int dest, int tag,
                                          uint64_t bytes) {
  if (plain_put_longer(endpoint, buf, bytes, tag, false))
    return MPI_SUCCESS;
  return FORM(send_any)(buf, count, last_layout.datatype, dest, tag, plain_communicator.handle);
}

HOT int FORM(MPISHM_Send)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  struct endpoint *endpoint = IS_PLAIN(!unrewritten.site) ? plain_endpoint(buf, datatype, dest, tag, comm) : NULL;
  if (endpoint) {
    uint64_t bytes = plain_bytes((int)count);
    if (plain_put(endpoint, buf, bytes, tag, false))
      return MPI_SUCCESS;
    if (bytes > INLINE_BYTES)
      return FORM(send_longer)(buf, count, endpoint, dest, tag, bytes);
  }
  runtime_come();
  return FORM(send_any)(buf, count, datatype, dest, tag, comm);
}

int FORM(MPISHM_Ssend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Ssend), .FORM(start) = &mpi_first.FORM(Issend)};
  runtime_enter(CALL(SSEND));
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_SYNCHRONOUS, false, &mpi, &unrewritten);
}

int FORM(MPISHM_Bsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Bsend), .FORM(start) = &mpi_first.FORM(Ibsend)};
  runtime_enter(CALL(BSEND));
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_BUFFERED, false, &mpi, &unrewritten);
}

int FORM(MPISHM_Rsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Rsend), .FORM(start) = &mpi_first.FORM(Irsend)};
  runtime_enter(CALL(RSEND));
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, false, &mpi, &unrewritten);
}

NOINLINE HOT static int FORM(isend_any)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
                                        MPI_Comm comm, MPI_Request *request) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Isend)};
  runtime_enter_come(CALL(ISEND), 0, NULL);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, false, &mpi, &unrewritten);
}

NOINLINE HOT static int FORM(isend_longer)(const void *buf, COUNT count, struct endpoint *endpoint, int dest, int tag,
                                           uint64_t bytes, MPI_Request *request) {
  if (!may_stay_in_place(buf, bytes) && plain_put_longer(endpoint, buf, bytes, tag, false)) {
    *request = sent_requests[0];
    return MPI_SUCCESS;
  }
  return FORM(isend_any)(buf, count, last_layout.datatype, dest, tag, plain_communicator.handle, request);
}

HOT int FORM(MPISHM_Isend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                           MPI_Request *request) {
  struct endpoint *endpoint =
      IS_PLAIN(request && !unrewritten.site) ? plain_endpoint(buf, datatype, dest, tag, comm) : NULL;
  if (endpoint) {
    uint64_t bytes = plain_bytes((int)count);
    if (plain_put(endpoint, buf, bytes, tag, false)) {
      *request = sent_requests[0];
      return MPI_SUCCESS;
    }
    if (bytes > INLINE_BYTES)
      return FORM(isend_longer)(buf, count, endpoint, dest, tag, bytes, request);
  }
  runtime_come();
  return FORM(isend_any)(buf, count, datatype, dest, tag, comm, request);
}

int FORM(MPISHM_Issend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Issend)};
  runtime_enter(CALL(ISSEND));
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_SYNCHRONOUS, false, &mpi, &unrewritten);
}

int FORM(MPISHM_Ibsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Ibsend)};
  runtime_enter(CALL(IBSEND));
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_BUFFERED, false, &mpi, &unrewritten);
}

int FORM(MPISHM_Irsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Irsend)};
  runtime_enter(CALL(IRSEND));
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, false, &mpi, &unrewritten);
}

NOINLINE HOT static int FORM(recv_any)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
                                       MPI_Comm comm, MPI_Status *status) {
  static const struct mpi_receive mpi = {.FORM(blocking) = &mpi_first.FORM(Recv)};
  runtime_enter_come(CALL(RECV), 0, NULL);
  return receive_blocking(buf, count, datatype, source, tag, comm, status, &mpi, &unrewritten);
}

HOT int FORM(MPISHM_Recv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                          MPI_Status *status) {
  MPI_Request request;
  if (IS_PLAIN(!unrewritten.site)) {
    if (plain_take(buf, (int)count, datatype, source, tag, comm, status, false))
      return MPI_SUCCESS;
    if (plain_receive(&request, buf, (int)count, datatype, source, tag, comm, &rewritten_code))
      return plain_received(&request, status, false);
  }
  runtime_come();
  return FORM(recv_any)(buf, count, datatype, source, tag, comm, status);
}

NOINLINE HOT static int FORM(irecv_any)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
                                        MPI_Comm comm, MPI_Request *request) {
  static const struct mpi_receive mpi = {.FORM(start) = &mpi_first.FORM(Irecv)};
  runtime_enter_come(CALL(IRECV), 0, NULL);
  return receive_nonblocking(buf, count, datatype, source, tag, comm, request, &mpi, &unrewritten);
}

HOT int FORM(MPISHM_Irecv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                           MPI_Request *request) {
  if (IS_PLAIN(request && !unrewritten.site &&
               plain_receive(request, buf, (int)count, datatype, source, tag, comm, &rewritten_code)))
    return MPI_SUCCESS;
  runtime_come();
  return FORM(irecv_any)(buf, count, datatype, source, tag, comm, request);
}

/* ---- Those of at_once.h. ---- */

NOINLINE HOT static int FORM(serve_send_any)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
                                             MPI_Comm comm, const void *site) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Send), .FORM(start) = &mpi_first.FORM(Isend)};
  const struct origin by = {site, CALL(SEND)};
  ASSUME(site);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, false, &mpi, &by);
}

NOINLINE HOT static int FORM(serve_send_longer)(const void *buf, COUNT count, struct endpoint *endpoint, int dest,
                                                int tag, uint64_t bytes, const void *site) {
  if (plain_put_longer(endpoint, buf, bytes, tag, true))
    return MPI_SUCCESS;
  return FORM(serve_send_any)(buf, count, last_layout.datatype, dest, tag, plain_communicator.handle, site);
}

HOT int FORM(serve_Send)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         const void *site) {
  struct endpoint *endpoint = IS_PLAIN(true) ? plain_endpoint(buf, datatype, dest, tag, comm) : NULL;
  if (endpoint) {
    uint64_t bytes = plain_bytes((int)count);
    if (plain_put(endpoint, buf, bytes, tag, true))
      return MPI_SUCCESS;
    if (bytes > INLINE_BYTES)
      return FORM(serve_send_longer)(buf, count, endpoint, dest, tag, bytes, site);
  }
  return FORM(serve_send_any)(buf, count, datatype, dest, tag, comm, site);
}

NOINLINE HOT static int FORM(serve_isend_any)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
                                              MPI_Comm comm, MPI_Request *request, const void *site) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Isend)};
  const struct origin by = {site, CALL(ISEND)};
  ASSUME(site);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, false, &mpi, &by);
}

NOINLINE HOT static int FORM(serve_isend_longer)(const void *buf, COUNT count, struct endpoint *endpoint, int dest,
                                                 int tag, uint64_t bytes, MPI_Request *request, const void *site) {
  if (!may_stay_in_place(buf, bytes) && plain_put_longer(endpoint, buf, bytes, tag, true)) {
    *request = sent_requests[CONTEXT_UNREWRITTEN];
    return MPI_SUCCESS;
  }
  return FORM(serve_isend_any)(buf, count, last_layout.datatype, dest, tag, plain_communicator.handle, request, site);
}

HOT int FORM(serve_Isend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                          MPI_Request *request, const void *site) {
  struct endpoint *endpoint = IS_PLAIN(request) ? plain_endpoint(buf, datatype, dest, tag, comm) : NULL;
  if (endpoint) {
    uint64_t bytes = plain_bytes((int)count);
    if (plain_put(endpoint, buf, bytes, tag, true)) {
      *request = sent_requests[CONTEXT_UNREWRITTEN];
      return MPI_SUCCESS;
    }
    if (bytes > INLINE_BYTES)
      return FORM(serve_isend_longer)(buf, count, endpoint, dest, tag, bytes, request, site);
  }
  return FORM(serve_isend_any)(buf, count, datatype, dest, tag, comm, request, site);
}

NOINLINE HOT static int FORM(serve_recv_any)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
                                             MPI_Comm comm, MPI_Status *status, const void *site) {
  static const struct mpi_receive mpi = {.FORM(blocking) = &mpi_first.FORM(Recv)};
  const struct origin by = {site, CALL(RECV)};
  ASSUME(site);
  return receive_blocking(buf, count, datatype, source, tag, comm, status, &mpi, &by);
}

HOT int FORM(serve_Recv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                         MPI_Status *status, const void *site) {
  const struct origin by = {site, CALL(RECV)};
  MPI_Request request;
  ASSUME(site);
  if (IS_PLAIN(plain_take(buf, (int)count, datatype, source, tag, comm, status, true)))
    return MPI_SUCCESS;
  if (IS_PLAIN(plain_receive(&request, buf, (int)count, datatype, source, tag, comm, &by)))
    return plain_received(&request, status, true);
  return FORM(serve_recv_any)(buf, count, datatype, source, tag, comm, status, site);
}

NOINLINE HOT static int FORM(serve_irecv_any)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
                                              MPI_Comm comm, MPI_Request *request, const void *site) {
  static const struct mpi_receive mpi = {.FORM(start) = &mpi_first.FORM(Irecv)};
  const struct origin by = {site, CALL(IRECV)};
  ASSUME(site);
  return receive_nonblocking(buf, count, datatype, source, tag, comm, request, &mpi, &by);
}

HOT int FORM(serve_Irecv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                          MPI_Request *request, const void *site) {
  const struct origin by = {site, CALL(IRECV)};
  ASSUME(site);
  if (IS_PLAIN(request && plain_receive(request, buf, (int)count, datatype, source, tag, comm, &by)))
    return MPI_SUCCESS;
  return FORM(serve_irecv_any)(buf, count, datatype, source, tag, comm, request, site);
}

#undef IS_PLAIN
