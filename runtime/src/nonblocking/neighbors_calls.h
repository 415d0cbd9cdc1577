/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of neighbors.c, for counted.h.
 */
int FORM(MPISHM_Ineighbor_allgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(
      CALL(INEIGHBOR_ALLGATHER), start_with_neighbors(true, &send, &receive, comm, once(request)),
      mpi_first.FORM(Ineighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request));
}

int FORM(MPISHM_Ineighbor_allgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                      const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                      MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  START_OR_MPI(CALL(INEIGHBOR_ALLGATHERV), start_with_neighbors(true, &send, &receive, comm, once(request)),
               mpi_first.FORM(Ineighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                                    comm, request));
}

int FORM(MPISHM_Ineighbor_alltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(
      CALL(INEIGHBOR_ALLTOALL), start_with_neighbors(false, &send, &receive, comm, once(request)),
      mpi_first.FORM(Ineighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request));
}

int FORM(MPISHM_Ineighbor_alltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                     MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                                     const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                     MPI_Request *request) {
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, sdispls, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, rdispls, recvtype);
  START_OR_MPI(CALL(INEIGHBOR_ALLTOALLV), start_with_neighbors(false, &send, &receive, comm, once(request)),
               mpi_first.FORM(Ineighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                                   recvtype, comm, request));
}

int FORM(MPISHM_Ineighbor_alltoallw)(const void *sendbuf, const COUNT sendcounts[], const MPI_Aint sdispls[],
                                     const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                     MPI_Request *request) {
  struct side send = side_datatypes(IS_LARGE, true, sendbuf, sendcounts, sdispls, sendtypes);
  struct side receive = side_datatypes(IS_LARGE, true, recvbuf, recvcounts, rdispls, recvtypes);
  START_OR_MPI(CALL(INEIGHBOR_ALLTOALLW), start_with_neighbors(false, &send, &receive, comm, once(request)),
               mpi_first.FORM(Ineighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                                   rdispls, recvtypes, comm, request));
}
