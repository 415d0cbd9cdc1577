// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective that MPI refuses for its arguments waits for nobody: all members pass wrong ones, many calls ahead of
// the one that waits for a message of theirs; after that the same calls do their work.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { AHEAD = 40, MOST = 16, OPERATIONS = 23 };

static int rank, size, in[MOST], out[MOST], ones[MOST], none[MOST];
static MPI_Comm comm, ring;

/* Whether the library itself ends the program, or waits, where such a call has elements of no type. */
static int is_left_out(int operation) {
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 50000000
  return operation == 5 || operation == 6 || (operation >= 11 && operation <= 14) || operation >= 21;
#else
  (void)operation;
  return 0;
#endif
}

/* Returns its error; its arguments are wrong but for `right`. */
static int call(int operation, int right) {
  int n = 1, *counts = ones;
  MPI_Datatype type = right ? MPI_INT : MPI_DATATYPE_NULL;
  MPI_Request r = MPI_REQUEST_NULL;
  int error;
  switch (operation) {
  case 0:
    return MPI_Bcast(in, n, type, 0, comm);
  case 1:
    return MPI_Gather(in, n, type, out, n, type, 0, comm);
  case 2:
    return MPI_Gatherv(in, n, type, out, counts, none, type, 0, comm);
  case 3:
    return MPI_Scatter(in, n, type, out, n, type, 0, comm);
  case 4:
    return MPI_Scatterv(in, counts, none, type, out, n, type, 0, comm);
  case 5:
    return MPI_Reduce(in, out, n, type, MPI_SUM, 0, comm);
  case 6:
    return MPI_Allreduce(in, out, n, type, MPI_SUM, comm);
  case 7:
    return MPI_Allgather(in, n, type, out, n, type, comm);
  case 8:
    return MPI_Allgatherv(in, n, type, out, counts, none, type, comm);
  case 9:
    return MPI_Alltoall(in, n, type, out, n, type, comm);
  case 10:
    return MPI_Alltoallv(in, counts, none, type, out, counts, none, type, comm);
  case 11:
    return MPI_Scan(in, out, n, type, MPI_SUM, comm);
  case 12:
    return MPI_Exscan(in, out, n, type, MPI_SUM, comm);
  case 13:
    return MPI_Reduce_scatter(in, out, counts, type, MPI_SUM, comm);
  case 14:
    return MPI_Reduce_scatter_block(in, out, n, type, MPI_SUM, comm);
  case 15:
    return MPI_Neighbor_alltoall(in, n, type, out, n, type, ring);
  case 16:
    return MPI_Neighbor_allgather(in, n, type, out, n, type, ring);
  case 17:
    return MPI_Neighbor_alltoallv(in, counts, none, type, out, counts, none, type, ring);
  case 18:
    error = MPI_Ibcast(in, n, type, 0, comm, &r);
    break;
  case 19:
    error = MPI_Igather(in, n, type, out, n, type, 0, comm, &r);
    break;
  case 20:
    error = MPI_Ialltoall(in, n, type, out, n, type, comm, &r);
    break;
  case 21:
    error = MPI_Iallreduce(in, out, n, type, MPI_SUM, comm, &r);
    break;
  default:
    error = MPI_Ireduce(in, out, n, type, MPI_SUM, 0, comm, &r);
  }
  if (error == MPI_SUCCESS)
    error = MPI_Wait(&r, MPI_STATUS_IGNORE);
  return error;
}

int main(int argc, char **argv) {
  int operation, i, cyclic = 1, token = 0;
  hash_t hash = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &cyclic, 0, &ring);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  for (i = 0; i < MOST; i++)
    ones[i] = 1, none[i] = 0, in[i] = 10 * rank + i;
  for (operation = 0; operation < OPERATIONS; operation++) /* the first one makes what its communicator needs */
    call(operation, 1);
  for (operation = 0; operation < OPERATIONS; operation++) {
    int accepted = 0, late = operation % size;
    if (is_left_out(operation))
      continue;
    if (rank == late)
      MPI_Recv(&token, 1, MPI_INT, (late + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (i = 0; i < AHEAD; i++)
      accepted += call(operation, 0) == MPI_SUCCESS;
    if (rank == (late + size - 1) % size)
      MPI_Send(&operation, 1, MPI_INT, late, 3, MPI_COMM_WORLD);
    for (i = 0; i < 3; i++)
      if (call(operation, 1) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    hash = hash_bytes(hash_bytes(hash_number(hash, accepted), in, sizeof in), out, sizeof out);
  }
  report("refused ahead", hash);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
