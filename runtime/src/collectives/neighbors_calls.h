/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of neighbors.c, for counted.h.
 */
int FORM(MPISHM_Neighbor_allgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_enter(CALL(NEIGHBOR_ALLGATHER));
  if (UNLIKELY(with_neighbors(CALL_NEIGHBOR_ALLGATHER, comm, true, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        mpi_first.FORM(Neighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
  }
  runtime_leave();
  return error;
}

int FORM(MPISHM_Neighbor_allgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                     MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  runtime_enter(CALL(NEIGHBOR_ALLGATHERV));
  if (UNLIKELY(with_neighbors(CALL_NEIGHBOR_ALLGATHERV, comm, true, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        mpi_first.FORM(Neighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
  }
  runtime_leave();
  return error;
}

int FORM(MPISHM_Neighbor_alltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_enter(CALL(NEIGHBOR_ALLTOALL));
  if (UNLIKELY(with_neighbors(CALL_NEIGHBOR_ALLTOALL, comm, false, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        mpi_first.FORM(Neighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
  }
  runtime_leave();
  return error;
}

int FORM(MPISHM_Neighbor_alltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                    MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                                    const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, sdispls, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, rdispls, recvtype);
  runtime_enter(CALL(NEIGHBOR_ALLTOALLV));
  if (UNLIKELY(with_neighbors(CALL_NEIGHBOR_ALLTOALLV, comm, false, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(mpi_first.FORM(Neighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                             recvcounts, rdispls, recvtype, comm));
  }
  runtime_leave();
  return error;
}

int FORM(MPISHM_Neighbor_alltoallw)(const void *sendbuf, const COUNT sendcounts[], const MPI_Aint sdispls[],
                                    const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_datatypes(IS_LARGE, true, sendbuf, sendcounts, sdispls, sendtypes);
  struct side receive = side_datatypes(IS_LARGE, true, recvbuf, recvcounts, rdispls, recvtypes);
  runtime_enter(CALL(NEIGHBOR_ALLTOALLW));
  if (UNLIKELY(with_neighbors(CALL_NEIGHBOR_ALLTOALLW, comm, false, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(mpi_first.FORM(Neighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                             recvcounts, rdispls, recvtypes, comm));
  }
  runtime_leave();
  return error;
}
