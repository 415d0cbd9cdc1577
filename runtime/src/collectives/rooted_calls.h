/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of rooted.c, for counted.h.
 */
int FORM(MPISHM_Gather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                        MPI_Datatype recvtype, int root, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_enter(CALL(GATHER));
  if (UNLIKELY(gather_parts(CALL_GATHER, comm, (unsigned)root, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        mpi_first.FORM(Gather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
  }
  runtime_leave();
  return error;
}

int FORM(MPISHM_Gatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype, int root,
                         MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, displs, recvtype);
  runtime_enter(CALL(GATHERV));
  if (UNLIKELY(gather_parts(CALL_GATHERV, comm, (unsigned)root, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        mpi_first.FORM(Gatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm));
  }
  runtime_leave();
  return error;
}

int FORM(MPISHM_Scatter)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_enter(CALL(SCATTER));
  if (UNLIKELY(scatter_parts(CALL_SCATTER, comm, (unsigned)root, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        mpi_first.FORM(Scatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
  }
  runtime_leave();
  return error;
}

int FORM(MPISHM_Scatterv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT displs[],
                          MPI_Datatype sendtype, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,
                          MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_counts(IS_LARGE, sendbuf, sendcounts, displs, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_enter(CALL(SCATTERV));
  if (UNLIKELY(scatter_parts(CALL_SCATTERV, comm, (unsigned)root, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        mpi_first.FORM(Scatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm));
  }
  runtime_leave();
  return error;
}
