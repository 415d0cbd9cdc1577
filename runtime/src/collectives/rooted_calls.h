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
  if (UNLIKELY(gather_parts(TRIED_GATHER, comm, (unsigned)root, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        trial_return(mpi_first.FORM(Gather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}

int FORM(MPISHM_Scatter)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = side_same(sendbuf, sendcount, sendtype);
  struct side receive = side_same(recvbuf, recvcount, recvtype);
  runtime_enter(CALL(SCATTER));
  if (UNLIKELY(scatter_parts(TRIED_SCATTER, comm, (unsigned)root, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        trial_return(mpi_first.FORM(Scatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}
