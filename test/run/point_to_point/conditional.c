// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends of a line: some ranks post nothing on one side, others name MPI_PROC_NULL there.
//
// RUN: %run-both %s --work %t
// RUN: %run-both %s --work %t --again --ranks 1
#include "report.h"
#include <string.h>

enum { N = 300 };

static hash_t guarded(hash_t h, int rank, int size, int step) {
  static int low_in[N], high_in[N], low_out[N], high_out[N];
  MPI_Request r[4];
  int n = 0;

  memset(low_in, 1, sizeof low_in);
  memset(high_in, 2, sizeof high_in);
  fill_bytes(low_out, sizeof low_out, rank * 10 + step);
  fill_bytes(high_out, sizeof high_out, rank * 20 + step);
  if (rank > 0) {
    MPI_Irecv(low_in, N, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, &r[n++]);
    MPI_Isend(low_out, N, MPI_INT, rank - 1, 2, MPI_COMM_WORLD, &r[n++]);
  }
  if (rank < size - 1) {
    MPI_Irecv(high_in, N, MPI_INT, rank + 1, 2, MPI_COMM_WORLD, &r[n++]);
    MPI_Isend(high_out, N, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, &r[n++]);
  }
  MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
  return hash_bytes(hash_bytes(h, low_in, sizeof low_in), high_in, sizeof high_in);
}

static hash_t null_process(hash_t h, int rank, int size, int step) {
  int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  double in[2] = {-1, -2}, out[2] = {rank + step * 0.5, rank - step * 0.5};
  MPI_Request r[4];
  MPI_Status s[4];

  MPI_Irecv(&in[0], 1, MPI_DOUBLE, down, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(&in[1], 1, MPI_DOUBLE, up, 4, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(&out[0], 1, MPI_DOUBLE, down, 4, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(&out[1], 1, MPI_DOUBLE, up, 3, MPI_COMM_WORLD, &r[3]);
  MPI_Waitall(4, r, s);
  h = hash_status(hash_status(h, &s[0], MPI_DOUBLE), &s[1], MPI_DOUBLE);
  return hash_bytes(h, in, sizeof in);
}

int main(int argc, char **argv) {
  int rank, size, step;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0; step < 5; step++) {
    h = guarded(h, rank, size, step);
    h = null_process(h, rank, size, step);
  }
  report("conditional", h);
  MPI_Finalize();
  return 0;
}
