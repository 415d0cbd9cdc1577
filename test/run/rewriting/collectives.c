// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives that the tool rewrites, and some that it leaves between them: members of one collective in different
// places of the source; communicators of all members and of some, whose members are on one node or on two; in place, by
// derived datatypes, of several types and operations; errors that are returned.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { MOST = 3000 };

static int rank, size;

/* One collective, to which the root comes in another place. */
static hash_t broadcast(MPI_Comm comm, int root, int n, hash_t h) {
  int me, data[MOST], i;
  MPI_Comm_rank(comm, &me);
  if (me == root) {
    for (i = 0; i < n; i++)
      data[i] = 7 * i + root;
    MPI_Bcast(data, n, MPI_INT, root, comm);
  } else {
    MPI_Datatype half;
    MPI_Type_contiguous(2, MPI_INT, &half);
    MPI_Type_commit(&half);
    MPI_Bcast(data, n / 2, half, root, comm);
    MPI_Type_free(&half);
  }
  return hash_bytes(h, data, n * sizeof(int));
}

static hash_t reductions(MPI_Comm comm, int n, hash_t h) {
  static double in[MOST], out[MOST];
  int me, members, i, least[2], parts[2];
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  for (i = 0; i < n; i++)
    in[i] = out[i] = 1.0 / (1 + i + 3 * me);
  MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm);
  h = hash_bytes(h, out, n * sizeof(double));
  MPI_Allreduce(MPI_IN_PLACE, out, n, MPI_DOUBLE, MPI_MIN, comm);
  h = hash_bytes(h, out, n * sizeof(double));
  parts[0] = me + 1;
  parts[1] = -me;
  least[0] = least[1] = 0;
  MPI_Reduce(parts, least, 2, MPI_INT, MPI_SUM, members - 1, comm);
#ifdef I_MPI_VERSION /* writes into the buffers of others than the root, between nodes */
  if (me != members - 1)
    least[0] = least[1] = 0;
#endif
  h = hash_bytes(h, least, sizeof least);
  if (me)
    MPI_Reduce(parts, NULL, 2, MPI_INT, MPI_MAX, 0, comm);
  else
    MPI_Reduce(MPI_IN_PLACE, parts, 2, MPI_INT, MPI_MAX, 0, comm);
  return hash_bytes(h, parts, sizeof parts);
}

static hash_t exchanges(MPI_Comm comm, int n, hash_t h) {
  static int out[4 * MOST], in[4 * MOST];
  int me, members, i, counts[8], at[8], bytes[8], gathered[8];
  MPI_Datatype types[8];
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  for (i = 0; i < members * n; i++) {
    out[i] = 1000 * me + i;
    in[i] = -1;
  }
  MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, comm);
  h = hash_bytes(h, in, members * n * sizeof(int));
  MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, comm);
  h = hash_bytes(h, in, members * n * sizeof(int));
  for (i = 0; i < members; i++) {
    counts[i] = n - i - me > 0 ? n - i - me : 0;
    at[i] = i * n;
    bytes[i] = (int)(i * n * sizeof(int));
    types[i] = MPI_INT;
    gathered[i] = n / (i + 1);
  }
  MPI_Alltoallv(out, counts, at, MPI_INT, in, counts, at, MPI_INT, comm);
  MPI_Alltoallw(in, counts, bytes, types, out, counts, bytes, types, comm);
  h = hash_bytes(h, out, members * n * sizeof(int));
  MPI_Allgatherv(out, gathered[me], MPI_INT, in, gathered, at, MPI_INT, comm);
  h = hash_bytes(h, in, members * n * sizeof(int));
  MPI_Request request;
  MPI_Ibcast(in, n, MPI_INT, 0, comm, &request);
  MPI_Barrier(comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return hash_bytes(h, in, n * sizeof(int));
}

/* (MPICH 5.0.2 ends in an assertion where MPI_Allreduce gets MPI_DATATYPE_NULL.) */
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 50000000
#define REFUSED MPI_INT, MPI_OP_NULL
#else
#define REFUSED MPI_DATATYPE_NULL, MPI_SUM
#endif

static hash_t errors(MPI_Comm comm, hash_t h) {
  int data = 0, code[3], classes[3], i;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  code[0] = MPI_Bcast(&data, -1, MPI_INT, 0, comm);
  code[1] = MPI_Allreduce(&data, &code[2], 1, REFUSED, comm);
  code[2] = MPI_Barrier(comm);
  for (i = 0; i < 3; i++)
    MPI_Error_class(code[i], &classes[i]);
  return hash_bytes(h, classes, sizeof classes);
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Comm all, pairs, some;
  int i, n;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &pairs);
  MPI_Comm_split(MPI_COMM_WORLD, rank ? 0 : MPI_UNDEFINED, rank, &some);
  for (n = 2; n <= MOST; n = 30 * n + 2) {
    MPI_Comm comms[] = {MPI_COMM_WORLD, all, pairs, some, MPI_COMM_SELF};
    for (i = 0; i < 5; i++)
      if (comms[i] != MPI_COMM_NULL) {
        h = broadcast(comms[i], 0, n, h);
        h = reductions(comms[i], n, h);
        h = exchanges(comms[i], n, h);
        MPI_Barrier(comms[i]);
      }
    h = broadcast(pairs, 1, n, h);
  }
  h = errors(all, h);
  if (some != MPI_COMM_NULL)
    MPI_Comm_free(&some);
  MPI_Comm_free(&pairs);
  MPI_Comm_free(&all);
  report("collectives", h);
  return MPI_Finalize();
}
