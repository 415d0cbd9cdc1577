/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The blocking entry points of sendrecv.c, for counted.h.
 */
NOINLINE static int FORM(sendrecv_any)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest,
                                       int sendtag, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source,
                                       int recvtag, MPI_Comm comm, MPI_Status *status) {
  struct half send = {sendbuf, sendcount, sendtype, dest, sendtag, ROUTE_INVALID, {0}},
              receive = {recvbuf, recvcount, recvtype, source, recvtag, ROUTE_INVALID, {0}};
  int error;
  runtime_enter_come(CALL(SENDRECV), 0, NULL);
  return sendrecv(&send, &receive, false, comm, status, &error)
             ? error
             : runtime_return(mpi_first.FORM(Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                                       recvtype, source, recvtag, comm, status));
}

int FORM(MPISHM_Sendrecv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                          void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                          MPI_Status *status) {
  if (!IS_LARGE && plain_sent_before(sendbuf, (int)sendcount, sendtype, dest, sendtag, recvbuf, (int)recvcount,
                                     recvtype, source, recvtag, comm))
    return FORM(MPISHM_Recv)(recvbuf, recvcount, recvtype, source, recvtag, comm, status);
  runtime_come();
  return FORM(sendrecv_any)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
                            comm, status);
}

NOINLINE static int FORM(sendrecv_replace_any)(void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag,
                                               int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  struct half send = {buf, count, datatype, dest, sendtag, ROUTE_INVALID, {0}},
              receive = {buf, count, datatype, source, recvtag, ROUTE_INVALID, {0}};
  int error;
  runtime_enter_come(CALL(SENDRECV_REPLACE), 0, NULL);
  return sendrecv(&send, &receive, true, comm, status, &error)
             ? error
             : runtime_return(mpi_first.FORM(Sendrecv_replace)(buf, count, datatype, dest, sendtag, source, recvtag,
                                                               comm, status));
}

int FORM(MPISHM_Sendrecv_replace)(void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag, int source,
                                  int recvtag, MPI_Comm comm, MPI_Status *status) {
  if (!IS_LARGE &&
      plain_sent_before(buf, (int)count, datatype, dest, sendtag, buf, (int)count, datatype, source, recvtag, comm))
    return FORM(MPISHM_Recv)(buf, count, datatype, source, recvtag, comm, status);
  runtime_come();
  return FORM(sendrecv_replace_any)(buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
}
