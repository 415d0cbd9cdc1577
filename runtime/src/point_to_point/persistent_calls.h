/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of persistent.c that have a count, for counted.h.
 */
int FORM(MPISHM_Send_init)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                           MPI_Request *request) {
  static const struct mpi_init mpi = {.FORM(init) = &mpi_first.FORM(Send_init)};
  runtime_enter(CALL(SEND_INIT));
  return send_init(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, &mpi);
}

int FORM(MPISHM_Ssend_init)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  static const struct mpi_init mpi = {.FORM(init) = &mpi_first.FORM(Ssend_init)};
  runtime_enter(CALL(SSEND_INIT));
  return send_init(buf, count, datatype, dest, tag, comm, request, SEND_SYNCHRONOUS, &mpi);
}

int FORM(MPISHM_Rsend_init)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  static const struct mpi_init mpi = {.FORM(init) = &mpi_first.FORM(Rsend_init)};
  runtime_enter(CALL(RSEND_INIT));
  return send_init(buf, count, datatype, dest, tag, comm, request, SEND_STANDARD, &mpi);
}

int FORM(MPISHM_Bsend_init)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  static const struct mpi_init mpi = {.FORM(init) = &mpi_first.FORM(Bsend_init)};
  runtime_enter(CALL(BSEND_INIT));
  return send_init(buf, count, datatype, dest, tag, comm, request, SEND_BUFFERED, &mpi);
}

int FORM(MPISHM_Recv_init)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                           MPI_Request *request) {
  struct persistent what = {.buffer = buf, .count = count, .peer = source, .tag = tag};
  int error;
  runtime_enter(CALL(RECV_INIT));
  if (!init(&what, datatype, comm, request, &error))
    return runtime_return_request(mpi_first.FORM(Recv_init)(buf, count, datatype, source, tag, comm, request), request);
  return error;
}
