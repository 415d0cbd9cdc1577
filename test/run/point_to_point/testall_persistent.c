// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Testall of persistent receives from this node and another one, until all have come: with their statuses.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { N = 10, STEPS = 3 };

int main(int argc, char **argv) {
  int rank, size, i, step, in[4][N], out[N];
  hash_t h = HASH_START;
  MPI_Request r[8];
  MPI_Status s[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < size; i++) {
    MPI_Recv_init(in[i], N - i, MPI_INT, i, i, MPI_COMM_WORLD, &r[i]);
    MPI_Send_init(out, N - rank, MPI_INT, i, rank, MPI_COMM_WORLD, &r[size + i]);
  }
  for (step = 0; step < STEPS; step++) {
    int flag = 0;
    fill_bytes(out, sizeof out, rank + 10 * step);
    memset(in, 0x1d, sizeof in);
    MPI_Startall(2 * size, r);
    while (!flag)
      MPI_Testall(2 * size, r, &flag, s);
    for (i = 0; i < size; i++)
      h = hash_status(h, &s[i], MPI_INT);
    h = hash_bytes(h, in, sizeof in);
  }
  for (i = 0; i < 2 * size; i++)
    MPI_Request_free(&r[i]);
  report("testall", h);
  MPI_Finalize();
  return 0;
}
