// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the program whose names are as MPI's, of which MPI has none: what they are given is followed.
//
// RUN: %run-both %s --work %t --ranks 4 --moves 0
#include "report.h"

enum { LENGTH = 200 };

int MPI_P2P_Reduce(const long *from, long *into, int count, int root, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  memcpy(into, from, count * sizeof *into);
  for (int step = 1; step < size; step *= 2) {
    long other[LENGTH];
    MPI_Request request;
    if (rank % (2 * step)) {
      MPI_Isend(into, count, MPI_LONG, rank - step, 7, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    }
    if (rank + step >= size)
      continue;
    MPI_Irecv(other, count, MPI_LONG, rank + step, 7, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
      into[i] += other[i];
  }
  MPI_Barrier(comm);
  return root;
}

static MPI_Comm MPI_Own_half(MPI_Comm of) {
  int rank;
  MPI_Comm half;
  MPI_Comm_rank(of, &rank);
  MPI_Comm_split(of, rank % 2, rank, &half);
  return half;
}

static void MPI_Ring(MPI_Comm comm, long *values, int count) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Sendrecv_replace(values, count, MPI_LONG, (rank + 1) % size, 9, (rank + size - 1) % size, 9, comm,
                       MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank;
  long mine[LENGTH], sum[LENGTH];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < LENGTH; i++)
    mine[i] = 31 * i + rank;
  MPI_Ring(MPI_COMM_WORLD, mine, LENGTH);
  MPI_P2P_Reduce(mine, sum, LENGTH, 0, MPI_COMM_WORLD);
  MPI_Comm half = MPI_Own_half(MPI_COMM_WORLD);
  MPI_Ring(half, sum, LENGTH);
  report("reduced", hash_bytes(HASH_START, sum, sizeof sum));
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
