/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of rooted.c, for counted.h.
 */
int FORM(MPISHM_Gather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                        MPI_Datatype recvtype, int root, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = {SAME, IS_LARGE, .buffer = sendbuf, .count = sendcount, .datatype = sendtype};
  struct side receive = {SAME, IS_LARGE, .buffer = recvbuf, .count = recvcount, .datatype = recvtype};
  runtime_enter(CALL(GATHER));
  if (UNLIKELY(gather_parts(comm, (unsigned)root, &send, &receive, &error))) {
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
  struct side send = {SAME, IS_LARGE, .buffer = sendbuf, .count = sendcount, .datatype = sendtype};
  struct side receive = {
      COUNTS, IS_LARGE, .buffer = recvbuf, .counts = recvcounts, .displacements = displs, .datatype = recvtype};
  runtime_enter(CALL(GATHERV));
  if (UNLIKELY(gather_parts(comm, (unsigned)root, &send, &receive, &error))) {
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
  struct side send = {SAME, IS_LARGE, .buffer = sendbuf, .count = sendcount, .datatype = sendtype};
  struct side receive = {SAME, IS_LARGE, .buffer = recvbuf, .count = recvcount, .datatype = recvtype};
  runtime_enter(CALL(SCATTER));
  if (UNLIKELY(scatter_parts(comm, (unsigned)root, &send, &receive, &error))) {
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
  struct side send = {
      COUNTS, IS_LARGE, .buffer = sendbuf, .counts = sendcounts, .displacements = displs, .datatype = sendtype};
  struct side receive = {SAME, IS_LARGE, .buffer = recvbuf, .count = recvcount, .datatype = recvtype};
  runtime_enter(CALL(SCATTERV));
  if (UNLIKELY(scatter_parts(comm, (unsigned)root, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        mpi_first.FORM(Scatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm));
  }
  runtime_leave();
  return error;
}
