/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The blocking entry points of sendrecv.c, for counted.h.
 */
HOT int FORM(MPISHM_Sendrecv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                          void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                          MPI_Status *status) {
  struct half send = {sendbuf, sendcount, sendtype, dest, sendtag, ROUTE_INVALID, {0}},
              receive = {recvbuf, recvcount, recvtype, source, recvtag, ROUTE_INVALID, {0}};
  int error;
  if (!IS_LARGE && plain_receive_follows(recvbuf, (int)recvcount, recvtype, source, recvtag, comm) &&
      plain_send(sendbuf, (int)sendcount, sendtype, dest, sendtag, comm, false))
    return FORM(MPISHM_Recv)(recvbuf, recvcount, recvtype, source, recvtag, comm, status);
  runtime_enter(CALL(SENDRECV));
  return sendrecv(&send, &receive, false, comm, status, &error)
             ? error
             : runtime_return(mpi_first.FORM(Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                                       recvtype, source, recvtag, comm, status));
}

HOT int FORM(MPISHM_Sendrecv_replace)(void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag, int source,
                                  int recvtag, MPI_Comm comm, MPI_Status *status) {
  struct half send = {buf, count, datatype, dest, sendtag, ROUTE_INVALID, {0}},
              receive = {buf, count, datatype, source, recvtag, ROUTE_INVALID, {0}};
  int error;
  if (!IS_LARGE && plain_receive_follows(buf, (int)count, datatype, source, recvtag, comm) &&
      plain_send(buf, (int)count, datatype, dest, sendtag, comm, false))
    return FORM(MPISHM_Recv)(buf, count, datatype, source, recvtag, comm, status);
  runtime_enter(CALL(SENDRECV_REPLACE));
  return sendrecv(&send, &receive, true, comm, status, &error)
             ? error
             : runtime_return(mpi_first.FORM(Sendrecv_replace)(buf, count, datatype, dest, sendtag, source, recvtag,
                                                               comm, status));
}
