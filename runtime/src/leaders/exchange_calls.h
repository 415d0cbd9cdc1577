/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of exchange.c, for counted.h.
 */
int FORM(leaders_Alltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_lock();
  bool done = exchange_alike(CALL_ALLTOALL, comm, &send, &receive, &error);
  runtime_unlock();
  return done ? error : mpi_first.FORM(Alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int FORM(leaders_Alltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                            const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, sdispls, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, rdispls, recvtype);
  runtime_lock();
  bool done = exchange_any(CALL_ALLTOALLV, comm, &send, &receive, &error);
  runtime_unlock();
  return done ? error
              : mpi_first.FORM(Alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                          recvtype, comm);
}

int FORM(leaders_Alltoallw)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                            const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_datatypes(IS_LARGE, false, sendbuf, sendcounts, sdispls, sendtypes);
  struct side receive = side_datatypes(IS_LARGE, false, recvbuf, recvcounts, rdispls, recvtypes);
  runtime_lock();
  bool done = exchange_any(CALL_ALLTOALLW, comm, &send, &receive, &error);
  runtime_unlock();
  return done ? error
              : mpi_first.FORM(Alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                          recvtypes, comm);
}

int FORM(leaders_Allgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_lock();
  bool done = gather_from_all_members(CALL_ALLGATHER, comm, &send, &receive, &error);
  runtime_unlock();
  return done ? error : mpi_first.FORM(Allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int FORM(leaders_Allgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                             MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  runtime_lock();
  bool done = gather_from_all_members(CALL_ALLGATHERV, comm, &send, &receive, &error);
  runtime_unlock();
  return done ? error
              : mpi_first.FORM(Allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}
