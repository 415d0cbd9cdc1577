/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of broadcast.c, for counted.h.
 */
int FORM(leaders_Bcast)(void *buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  runtime_lock();
  bool done = lead_broadcast(comm, (struct message){buffer, count, datatype}, root, &error);
  runtime_unlock();
  return done ? error : mpi_first.FORM(Bcast)(buffer, count, datatype, root, comm);
}
