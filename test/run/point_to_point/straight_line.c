// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of the textbooks: two receives, two sends, one Waitall, all in one block.
//
// RUN: %run-both %s --work %t
#include "report.h"

int main(int argc, char **argv) {
  int rank, size, step, i;
  double out[2][64], in[2][64];
  MPI_Request r[4];
  MPI_Status s[4];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0; step < 6; step++) {
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (i = 0; i < 64; i++) {
      out[0][i] = rank * 100.0 + step + i;
      out[1][i] = rank * -7.5 + step * i;
    }
    MPI_Irecv(in[0], 64, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(in[1], 64, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(out[0], 64, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(out[1], 64, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, s);
    h = hash_bytes(h, in, sizeof in);
    h = hash_status(hash_status(h, &s[0], MPI_DOUBLE), &s[1], MPI_DOUBLE);
    for (i = 0; i < 4; i++)
      h = hash_number(h, r[i] == MPI_REQUEST_NULL);
  }
  report("straight line", h);
  MPI_Finalize();
  return 0;
}
