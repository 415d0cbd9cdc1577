/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of pt2pt.c, for counted.h.
 */
HOT int FORM(MPISHM_Send)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Send), .FORM(start) = &mpi_first.FORM(Isend)};
  runtime_enter(CALL(SEND));
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, &mpi, &unrewritten);
}

int FORM(MPISHM_Ssend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Ssend), .FORM(start) = &mpi_first.FORM(Issend)};
  runtime_enter(CALL(SSEND));
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_SYNCHRONOUS, &mpi, &unrewritten);
}

int FORM(MPISHM_Bsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Bsend), .FORM(start) = &mpi_first.FORM(Ibsend)};
  runtime_enter(CALL(BSEND));
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_BUFFERED, &mpi, &unrewritten);
}

int FORM(MPISHM_Rsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Rsend), .FORM(start) = &mpi_first.FORM(Irsend)};
  runtime_enter(CALL(RSEND));
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, &mpi, &unrewritten);
}

HOT int FORM(MPISHM_Isend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                           MPI_Request *request) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Isend)};
  runtime_enter(CALL(ISEND));
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, &mpi, &unrewritten);
}

int FORM(MPISHM_Issend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Issend)};
  runtime_enter(CALL(ISSEND));
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_SYNCHRONOUS, &mpi, &unrewritten);
}

int FORM(MPISHM_Ibsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Ibsend)};
  runtime_enter(CALL(IBSEND));
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_BUFFERED, &mpi, &unrewritten);
}

int FORM(MPISHM_Irsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Irsend)};
  runtime_enter(CALL(IRSEND));
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, &mpi, &unrewritten);
}

HOT int FORM(MPISHM_Recv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                          MPI_Status *status) {
  static const struct mpi_receive mpi = {.FORM(blocking) = &mpi_first.FORM(Recv)};
  runtime_enter(CALL(RECV));
  return receive_blocking(buf, count, datatype, source, tag, comm, status, &mpi, &unrewritten);
}

HOT int FORM(MPISHM_Irecv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                           MPI_Request *request) {
  static const struct mpi_receive mpi = {.FORM(start) = &mpi_first.FORM(Irecv)};
  runtime_enter(CALL(IRECV));
  return receive_nonblocking(buf, count, datatype, source, tag, comm, request, &mpi, &unrewritten);
}

/* ---- Those of at_once.h. ---- */

HOT int FORM(serve_Send)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         const void *site) {
  static const struct mpi_send mpi = {.FORM(blocking) = &mpi_first.FORM(Send), .FORM(start) = &mpi_first.FORM(Isend)};
  const struct origin by = {site, CALL(SEND)};
  ASSUME(site);
  return send_blocking(buf, count, datatype, dest, tag, comm, SEND_STANDARD, &mpi, &by);
}

HOT int FORM(serve_Isend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                          MPI_Request *request, const void *site) {
  static const struct mpi_send mpi = {.FORM(start) = &mpi_first.FORM(Isend)};
  const struct origin by = {site, CALL(ISEND)};
  ASSUME(site);
  return send_nonblocking(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, &mpi, &by);
}

HOT int FORM(serve_Recv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                         MPI_Status *status, const void *site) {
  static const struct mpi_receive mpi = {.FORM(blocking) = &mpi_first.FORM(Recv)};
  const struct origin by = {site, CALL(RECV)};
  ASSUME(site);
  return receive_blocking(buf, count, datatype, source, tag, comm, status, &mpi, &by);
}

HOT int FORM(serve_Irecv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                          MPI_Request *request, const void *site) {
  static const struct mpi_receive mpi = {.FORM(start) = &mpi_first.FORM(Irecv)};
  const struct origin by = {site, CALL(IRECV)};
  ASSUME(site);
  return receive_nonblocking(buf, count, datatype, source, tag, comm, request, &mpi, &by);
}
