/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of persistent.c for neighbors, for counted.h.
 */
int FORM(MPISHM_Neighbor_allgather_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                         COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                         MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(CALL(NEIGHBOR_ALLGATHER_INIT),
               start_with_neighbors(true, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Neighbor_allgather_init)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                                                       info, request));
}

int FORM(MPISHM_Neighbor_allgatherv_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                          const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                          MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  START_OR_MPI(CALL(NEIGHBOR_ALLGATHERV_INIT),
               start_with_neighbors(true, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Neighbor_allgatherv_init)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                                        recvtype, comm, info, request));
}

int FORM(MPISHM_Neighbor_alltoall_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                        COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                        MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(CALL(NEIGHBOR_ALLTOALL_INIT),
               start_with_neighbors(false, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Neighbor_alltoall_init)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                                                      info, request));
}

int FORM(MPISHM_Neighbor_alltoallv_init)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                         MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                                         const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                         MPI_Info info, MPI_Request *request) {
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, sdispls, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, rdispls, recvtype);
  START_OR_MPI(CALL(NEIGHBOR_ALLTOALLV_INIT),
               start_with_neighbors(false, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Neighbor_alltoallv_init)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                                       rdispls, recvtype, comm, info, request));
}

int FORM(MPISHM_Neighbor_alltoallw_init)(const void *sendbuf, const COUNT sendcounts[], const MPI_Aint sdispls[],
                                         const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                                         const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                         MPI_Info info, MPI_Request *request) {
  struct side send = side_datatypes(IS_LARGE, true, sendbuf, sendcounts, sdispls, sendtypes);
  struct side receive = side_datatypes(IS_LARGE, true, recvbuf, recvcounts, rdispls, recvtypes);
  START_OR_MPI(CALL(NEIGHBOR_ALLTOALLW_INIT),
               start_with_neighbors(false, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Neighbor_alltoallw_init)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                                       rdispls, recvtypes, comm, info, request));
}
