// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sendrecv around a ring and along a line with MPI_PROC_NULL at its ends, small and large, to oneself too; and a
// Sendrecv that meets an Irecv and a Send.
//
// RUN: %run-both %s --work %t
// RUN: %run-both %s --work %t --again --ranks 1
#include "report.h"

enum { MAX = 50000 };

int main(int argc, char **argv) {
  static const int lengths[] = {0, 1, 300, MAX};
  static float out[MAX], in[MAX]; // mpishm: keep
  int rank, size, k;
  MPI_Status status;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (k = 0; k < 4; k++) {
    int n = lengths[k], left = (rank + size - 1) % size, right = (rank + 1) % size;
    int down = rank == 0 ? MPI_PROC_NULL : rank - 1, up = rank == size - 1 ? MPI_PROC_NULL : rank + 1;

    fill_bytes(out, sizeof out, rank + 31 * k);
    MPI_Sendrecv(out, n, MPI_FLOAT, right, 5, in, MAX, MPI_FLOAT, left, 5, MPI_COMM_WORLD, &status);
    h = hash_bytes(hash_status(h, &status, MPI_FLOAT), in, n * sizeof(float));
    MPI_Sendrecv(out, n, MPI_FLOAT, up, 6, in, n, MPI_FLOAT, down, 6, MPI_COMM_WORLD, &status);
    h = hash_bytes(hash_status(h, &status, MPI_FLOAT), in, n * sizeof(float));
    MPI_Sendrecv(out, n, MPI_FLOAT, rank, 7, in, MAX, MPI_FLOAT, rank, 7, MPI_COMM_WORLD, &status);
    h = hash_bytes(hash_status(h, &status, MPI_FLOAT), in, n * sizeof(float));

    if (size > 1 && rank == 0) {
      MPI_Request request;
      MPI_Irecv(in, MAX, MPI_FLOAT, 1, 8, MPI_COMM_WORLD, &request);
      MPI_Send(out, n, MPI_FLOAT, 1, 8, MPI_COMM_WORLD);
      MPI_Wait(&request, &status);
    } else if (rank == 1) {
      MPI_Sendrecv(out, n, MPI_FLOAT, 0, 8, in, MAX, MPI_FLOAT, 0, 8, MPI_COMM_WORLD, &status);
    }
    h = hash_bytes(hash_status(h, &status, MPI_FLOAT), in, n * sizeof(float));
  }
  report("sendrecv", h);
  MPI_Finalize();
  return 0;
}
