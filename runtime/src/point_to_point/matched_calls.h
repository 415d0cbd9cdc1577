/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of matched.c, for counted.h.
 */
int FORM(MPISHM_Mrecv)(void *buf, COUNT count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status) {
  int error;
  runtime_enter(CALL(MRECV));
  return mrecv(buf, count, datatype, message, status, &error)
             ? error
             : runtime_return(mpi_first.FORM(Mrecv)(buf, count, datatype, message, status));
}

int FORM(MPISHM_Imrecv)(void *buf, COUNT count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request) {
  int error;
  runtime_enter(CALL(IMRECV));
  return imrecv(buf, count, datatype, message, request, &error)
             ? error
             : runtime_return(mpi_first.FORM(Imrecv)(buf, count, datatype, message, request));
}
