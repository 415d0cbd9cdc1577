/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of reductions.c, for counted.h.
 */
int FORM(leaders_Allreduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                            MPI_Comm comm) {
  int error = MPI_SUCCESS;
  runtime_lock();
  bool done = lead_reduction(comm, sendbuf, recvbuf, count, datatype, op, TO_ALL_MEMBERS, &error);
  runtime_unlock();
  return done ? error : mpi_first.FORM(Allreduce)(sendbuf, recvbuf, count, datatype, op, comm);
}

int FORM(leaders_Reduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op, int root,
                         MPI_Comm comm) {
  int error = MPI_SUCCESS;
  runtime_lock();
  int any_root = root < 0 ? INT_MAX : root; /* of no member, as all negative ones */
  bool done = lead_reduction(comm, sendbuf, recvbuf, count, datatype, op, any_root, &error);
  runtime_unlock();
  return done ? error : mpi_first.FORM(Reduce)(sendbuf, recvbuf, count, datatype, op, root, comm);
}
