/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of exchange.c, for counted.h.
 */
HOT int FORM(MPISHM_Alltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                              COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_enter(CALL(ALLTOALL));
  if (UNLIKELY(exchange(CALL_ALLTOALL, TRIED_ALLTOALL, comm, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        trial_return(mpi_beyond->FORM(Alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}

HOT int FORM(MPISHM_Alltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                               MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                               const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, sdispls, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, rdispls, recvtype);
  runtime_enter(CALL(ALLTOALLV));
  if (UNLIKELY(exchange(CALL_ALLTOALLV, TRIED_ALLTOALLV, comm, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(trial_return(mpi_beyond->FORM(Alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                                   recvcounts, rdispls, recvtype, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}

HOT int FORM(MPISHM_Alltoallw)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                               const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                               const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_datatypes(IS_LARGE, false, sendbuf, sendcounts, sdispls, sendtypes);
  struct side receive = side_datatypes(IS_LARGE, false, recvbuf, recvcounts, rdispls, recvtypes);
  runtime_enter(CALL(ALLTOALLW));
  if (UNLIKELY(exchange(CALL_ALLTOALLW, NOT_TRIED, comm, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(mpi_beyond->FORM(Alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                                      rdispls, recvtypes, comm));
  }
  runtime_leave();
  return error;
}

HOT int FORM(MPISHM_Allgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                               COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_enter(CALL(ALLGATHER));
  if (UNLIKELY(
          gather_from_all(CALL_ALLGATHER, TRIED_ALLGATHER, comm, sendbuf, sendcount, sendtype, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        trial_return(mpi_beyond->FORM(Allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}

HOT int FORM(MPISHM_Allgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  runtime_enter(CALL(ALLGATHERV));
  if (UNLIKELY(
          gather_from_all(CALL_ALLGATHERV, TRIED_ALLGATHERV, comm, sendbuf, sendcount, sendtype, &receive, &error))) {
    runtime_unlock();
    return runtime_return(trial_return(
        mpi_beyond->FORM(Allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}
