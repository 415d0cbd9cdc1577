/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of partial.c, for counted.h.
 */
int FORM(MPISHM_Scan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                      MPI_Comm comm) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL(SCAN));
  if (UNLIKELY(scan(sendbuf, recvbuf, count, datatype, op, false, comm, &error))) {
    runtime_unlock();
    return runtime_return(trial_return(mpi_first.FORM(Scan)(sendbuf, recvbuf, count, datatype, op, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}

int FORM(MPISHM_Exscan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL(EXSCAN));
  if (UNLIKELY(scan(sendbuf, recvbuf, count, datatype, op, true, comm, &error))) {
    runtime_unlock();
    return runtime_return(trial_return(mpi_first.FORM(Exscan)(sendbuf, recvbuf, count, datatype, op, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}

int FORM(MPISHM_Reduce_scatter)(const void *sendbuf, void *recvbuf, const COUNT recvcounts[], MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm) {
  struct side receive = side_counts(IS_LARGE, recvbuf, recvcounts, NULL, datatype);
  runtime_enter(CALL(REDUCE_SCATTER));
  if (UNLIKELY(reduce_scatter(sendbuf, &receive, op, comm))) {
    runtime_unlock();
    return runtime_return(
        trial_return(mpi_first.FORM(Reduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm)));
  }
  trial_end();
  runtime_leave();
  return MPI_SUCCESS;
}

int FORM(MPISHM_Reduce_scatter_block)(const void *sendbuf, void *recvbuf, COUNT recvcount, MPI_Datatype datatype,
                                      MPI_Op op, MPI_Comm comm) {
  struct side receive = side_same(recvbuf, recvcount, datatype);
  runtime_enter(CALL(REDUCE_SCATTER_BLOCK));
  if (UNLIKELY(reduce_scatter(sendbuf, &receive, op, comm))) {
    runtime_unlock();
    return runtime_return(
        trial_return(mpi_first.FORM(Reduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op, comm)));
  }
  trial_end();
  runtime_leave();
  return MPI_SUCCESS;
}
