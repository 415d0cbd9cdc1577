/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of persistent.c for exchanges, for counted.h.
 */
int FORM(MPISHM_Bcast_init)(void *buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                            MPI_Request *request) {
  START_OR_MPI(CALL(BCAST_INIT), start_bcast(buffer, count, datatype, root, comm, again_and_again(request)),
               mpi_first.FORM(Bcast_init)(buffer, count, datatype, root, comm, info, request));
}

int FORM(MPISHM_Gather_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                             COUNT recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                             MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(CALL(GATHER_INIT), start_gather(root, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Gather_init)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
                                           request));
}

int FORM(MPISHM_Gatherv_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                              const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype, int root,
                              MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  START_OR_MPI(CALL(GATHERV_INIT), start_gather(root, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Gatherv_init)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                                            comm, info, request));
}

int FORM(MPISHM_Scatter_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                              COUNT recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                              MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(CALL(SCATTER_INIT), start_scatter(root, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Scatter_init)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                                            info, request));
}

int FORM(MPISHM_Scatterv_init)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT displs[],
                               MPI_Datatype sendtype, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, displs, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(CALL(SCATTERV_INIT), start_scatter(root, &send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Scatterv_init)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                                             comm, info, request));
}

int FORM(MPISHM_Allgather_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(
      CALL(ALLGATHER_INIT), start_gather_from_all(&send, &receive, comm, again_and_again(request)),
      mpi_first.FORM(Allgather_init)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request));
}

int FORM(MPISHM_Allgatherv_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                 const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                 MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  START_OR_MPI(CALL(ALLGATHERV_INIT), start_gather_from_all(&send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Allgatherv_init)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                               comm, info, request));
}

int FORM(MPISHM_Alltoall_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                               COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                               MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(
      CALL(ALLTOALL_INIT), start_exchange(&send, &receive, comm, again_and_again(request)),
      mpi_first.FORM(Alltoall_init)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request));
}

int FORM(MPISHM_Alltoallv_init)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                                const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, sdispls, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, rdispls, recvtype);
  START_OR_MPI(CALL(ALLTOALLV_INIT), start_exchange(&send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Alltoallv_init)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                              recvtype, comm, info, request));
}

int FORM(MPISHM_Alltoallw_init)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                                const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                MPI_Info info, MPI_Request *request) {
  struct side send = side_datatypes(IS_LARGE, false, sendbuf, sendcounts, sdispls, sendtypes);
  struct side receive = side_datatypes(IS_LARGE, false, recvbuf, recvcounts, rdispls, recvtypes);
  START_OR_MPI(CALL(ALLTOALLW_INIT), start_exchange(&send, &receive, comm, again_and_again(request)),
               mpi_first.FORM(Alltoallw_init)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                              recvtypes, comm, info, request));
}
