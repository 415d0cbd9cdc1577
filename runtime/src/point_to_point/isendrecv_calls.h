/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The nonblocking entry points of sendrecv.c, for counted.h.
 */
int FORM(MPISHM_Isendrecv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                           void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag,
                           MPI_Comm comm, MPI_Request *request) {
  struct half send = {sendbuf, sendcount, sendtype, dest, sendtag, ROUTE_INVALID, {0}},
              receive = {recvbuf, recvcount, recvtype, source, recvtag, ROUTE_INVALID, {0}};
  int error;
  runtime_enter(CALL(ISENDRECV));
  return isendrecv(&send, &receive, false, comm, request, &error)
             ? error
             : runtime_return_request(mpi_first.FORM(Isendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                                                                recvcount, recvtype, source, recvtag, comm, request),
                                      request);
}

int FORM(MPISHM_Isendrecv_replace)(void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag, int source,
                                   int recvtag, MPI_Comm comm, MPI_Request *request) {
  struct half send = {buf, count, datatype, dest, sendtag, ROUTE_INVALID, {0}},
              receive = {buf, count, datatype, source, recvtag, ROUTE_INVALID, {0}};
  int error;
  runtime_enter(CALL(ISENDRECV_REPLACE));
  return isendrecv(&send, &receive, true, comm, request, &error)
             ? error
             : runtime_return_request(mpi_first.FORM(Isendrecv_replace)(buf, count, datatype, dest, sendtag, source,
                                                                        recvtag, comm, request),
                                      request);
}
