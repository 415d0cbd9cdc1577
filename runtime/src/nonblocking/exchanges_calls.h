/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of exchanges.c, for counted.h.
 */
int FORM(MPISHM_Ibcast)(void *buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm,
                        MPI_Request *request) {
  START_OR_MPI(CALL(IBCAST), start_bcast(buffer, count, datatype, root, comm, once(request)),
               mpi_first.FORM(Ibcast)(buffer, count, datatype, root, comm, request));
}

int FORM(MPISHM_Igather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(
      CALL(IGATHER), start_gather(root, &send, &receive, comm, once(request)),
      mpi_first.FORM(Igather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request));
}

int FORM(MPISHM_Igatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                          const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype, int root,
                          MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  START_OR_MPI(CALL(IGATHERV), start_gather(root, &send, &receive, comm, once(request)),
               mpi_first.FORM(Igatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                                        request));
}

int FORM(MPISHM_Iscatter)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                          MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(
      CALL(ISCATTER), start_scatter(root, &send, &receive, comm, once(request)),
      mpi_first.FORM(Iscatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request));
}

int FORM(MPISHM_Iscatterv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT displs[],
                           MPI_Datatype sendtype, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,
                           MPI_Comm comm, MPI_Request *request) {
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, displs, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(CALL(ISCATTERV), start_scatter(root, &send, &receive, comm, once(request)),
               mpi_first.FORM(Iscatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                                         comm, request));
}

int FORM(MPISHM_Iallgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(CALL(IALLGATHER), start_gather_from_all(&send, &receive, comm, once(request)),
               mpi_first.FORM(Iallgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request));
}

int FORM(MPISHM_Iallgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  START_OR_MPI(
      CALL(IALLGATHERV), start_gather_from_all(&send, &receive, comm, once(request)),
      mpi_first.FORM(Iallgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request));
}

int FORM(MPISHM_Ialltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  START_OR_MPI(CALL(IALLTOALL), start_exchange(&send, &receive, comm, once(request)),
               mpi_first.FORM(Ialltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request));
}

int FORM(MPISHM_Ialltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                            const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, sdispls, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, rdispls, recvtype);
  START_OR_MPI(CALL(IALLTOALLV), start_exchange(&send, &receive, comm, once(request)),
               mpi_first.FORM(Ialltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                          recvtype, comm, request));
}

int FORM(MPISHM_Ialltoallw)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                            const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            MPI_Request *request) {
  struct side send = side_datatypes(IS_LARGE, false, sendbuf, sendcounts, sdispls, sendtypes);
  struct side receive = side_datatypes(IS_LARGE, false, recvbuf, recvcounts, rdispls, recvtypes);
  START_OR_MPI(CALL(IALLTOALLW), start_exchange(&send, &receive, comm, once(request)),
               mpi_first.FORM(Ialltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                          recvtypes, comm, request));
}
