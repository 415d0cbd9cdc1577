/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of combinations.c, for counted.h.
 */
int FORM(MPISHM_Iallreduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                            MPI_Comm comm, MPI_Request *request) {
  START_OR_MPI(CALL(IALLREDUCE), start_allreduce(sendbuf, recvbuf, count, datatype, op, comm, once(request)),
               mpi_first.FORM(Iallreduce)(sendbuf, recvbuf, count, datatype, op, comm, request));
}

int FORM(MPISHM_Ireduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op, int root,
                         MPI_Comm comm, MPI_Request *request) {
  START_OR_MPI(CALL(IREDUCE), start_reduce(sendbuf, recvbuf, count, datatype, op, root, comm, once(request)),
               mpi_first.FORM(Ireduce)(sendbuf, recvbuf, count, datatype, op, root, comm, request));
}

int FORM(MPISHM_Iscan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       MPI_Request *request) {
  START_OR_MPI(CALL(ISCAN), start_scan(sendbuf, recvbuf, count, datatype, op, false, comm, once(request)),
               mpi_first.FORM(Iscan)(sendbuf, recvbuf, count, datatype, op, comm, request));
}

int FORM(MPISHM_Iexscan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, MPI_Request *request) {
  START_OR_MPI(CALL(IEXSCAN), start_scan(sendbuf, recvbuf, count, datatype, op, true, comm, once(request)),
               mpi_first.FORM(Iexscan)(sendbuf, recvbuf, count, datatype, op, comm, request));
}

int FORM(MPISHM_Ireduce_scatter)(const void *sendbuf, void *recvbuf, const COUNT recvcounts[], MPI_Datatype datatype,
                                 MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, NULL, datatype);
  START_OR_MPI(CALL(IREDUCE_SCATTER), start_reduce_scatter(sendbuf, &receive, op, comm, once(request)),
               mpi_first.FORM(Ireduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm, request));
}

int FORM(MPISHM_Ireduce_scatter_block)(const void *sendbuf, void *recvbuf, COUNT recvcount, MPI_Datatype datatype,
                                       MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  struct side receive = side_same(recvbuf, recvcount, datatype);
  START_OR_MPI(CALL(IREDUCE_SCATTER_BLOCK), start_reduce_scatter(sendbuf, &receive, op, comm, once(request)),
               mpi_first.FORM(Ireduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op, comm, request));
}
