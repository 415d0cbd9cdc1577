/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of persistent.c for combinations, for counted.h.
 */
int FORM(MPISHM_Allreduce_init)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                                MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  START_OR_MPI(CALL(ALLREDUCE_INIT),
               start_allreduce(sendbuf, recvbuf, count, datatype, op, comm, again_and_again(request)),
               mpi_first.FORM(Allreduce_init)(sendbuf, recvbuf, count, datatype, op, comm, info, request));
}

int FORM(MPISHM_Reduce_init)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                             int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  START_OR_MPI(CALL(REDUCE_INIT),
               start_reduce(sendbuf, recvbuf, count, datatype, op, root, comm, again_and_again(request)),
               mpi_first.FORM(Reduce_init)(sendbuf, recvbuf, count, datatype, op, root, comm, info, request));
}

int FORM(MPISHM_Scan_init)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  START_OR_MPI(CALL(SCAN_INIT),
               start_scan(sendbuf, recvbuf, count, datatype, op, false, comm, again_and_again(request)),
               mpi_first.FORM(Scan_init)(sendbuf, recvbuf, count, datatype, op, comm, info, request));
}

int FORM(MPISHM_Exscan_init)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  START_OR_MPI(CALL(EXSCAN_INIT),
               start_scan(sendbuf, recvbuf, count, datatype, op, true, comm, again_and_again(request)),
               mpi_first.FORM(Exscan_init)(sendbuf, recvbuf, count, datatype, op, comm, info, request));
}

int FORM(MPISHM_Reduce_scatter_init)(const void *sendbuf, void *recvbuf, const COUNT recvcounts[],
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                     MPI_Request *request) {
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, NULL, datatype);
  START_OR_MPI(CALL(REDUCE_SCATTER_INIT), start_reduce_scatter(sendbuf, &receive, op, comm, again_and_again(request)),
               mpi_first.FORM(Reduce_scatter_init)(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request));
}

int FORM(MPISHM_Reduce_scatter_block_init)(const void *sendbuf, void *recvbuf, COUNT recvcount, MPI_Datatype datatype,
                                           MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  struct side receive = side_same(recvbuf, recvcount, datatype);
  START_OR_MPI(
      CALL(REDUCE_SCATTER_BLOCK_INIT), start_reduce_scatter(sendbuf, &receive, op, comm, again_and_again(request)),
      mpi_first.FORM(Reduce_scatter_block_init)(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request));
}
