// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receives are posted, sends block, each receive is waited for by itself; and the mirror form, Isend with Recv.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { MAX = 20000 };

int main(int argc, char **argv) {
  static const int lengths[] = {1, 500, MAX};
  int rank, size, k;
  static double from_left[MAX], from_right[MAX], out[MAX]; // mpishm: keep
  MPI_Request left_request, right_request, send_request;
  MPI_Status status;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (k = 0; k < 3; k++) {
    int n = lengths[k], left = (rank + size - 1) % size, right = (rank + 1) % size;
    fill_bytes(out, n * sizeof(double), rank + k);
    MPI_Irecv(from_left, MAX, MPI_DOUBLE, left, 11, MPI_COMM_WORLD, &left_request);
    MPI_Irecv(from_right, MAX, MPI_DOUBLE, right, 12, MPI_COMM_WORLD, &right_request);
    MPI_Send(out, n, MPI_DOUBLE, left, 12, MPI_COMM_WORLD);
    MPI_Send(out, n, MPI_DOUBLE, right, 11, MPI_COMM_WORLD);
    MPI_Wait(&left_request, &status);
    h = hash_status(h, &status, MPI_DOUBLE);
    MPI_Wait(&right_request, &status);
    h = hash_status(h, &status, MPI_DOUBLE);
    h = hash_bytes(hash_bytes(h, from_left, n * sizeof(double)), from_right, n * sizeof(double));

    MPI_Isend(out, n, MPI_DOUBLE, right, 13, MPI_COMM_WORLD, &send_request);
    MPI_Recv(from_left, n, MPI_DOUBLE, left, 13, MPI_COMM_WORLD, &status);
    MPI_Wait(&send_request, MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &status, MPI_DOUBLE), from_left, n * sizeof(double));
  }
  report("blocking send", h);
  MPI_Finalize();
  return 0;
}
