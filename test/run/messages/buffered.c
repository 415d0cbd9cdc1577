// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffered sends: both ranks of a pair send before they receive, whatever the size, and write their buffers again at
// once.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --check-prefix=TEXT < %t/rewritten/buffered.c
#include "report.h"
#include <stdlib.h>

enum { LARGE = 60000 };
static int out[LARGE], in[LARGE]; // mpishm: keep

int main(int argc, char **argv) {
  static const int lengths[] = {1, 500, LARGE};
  int rank, size, k, bytes = 4 * (int)sizeof out + 4 * MPI_BSEND_OVERHEAD;
  void *attached = malloc(bytes);
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Buffer_attach(attached, bytes);
  for (k = 0; k < 3; k++) {
    int n = lengths[k], before = (rank + size - 1) % size, after = (rank + 1) % size;
    MPI_Request r;
    fill_bytes(out, sizeof out, rank + k);
    // TEXT: MPISHM_Bsend(out
    MPI_Bsend(out, n, MPI_INT, after, 1, MPI_COMM_WORLD);
    fill_bytes(out, sizeof out, rank + k + 50);
    // TEXT: MPISHM_Ibsend(out
    MPI_Ibsend(out, n, MPI_INT, after, 1, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    fill_bytes(out, sizeof out, rank + k + 99);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(in, n, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    h = hash_bytes(h, in, n * sizeof *in);
    MPI_Recv(in, n, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    h = hash_bytes(h, in, n * sizeof *in);
  }
  MPI_Buffer_detach(&attached, &bytes);
  free(attached);
  report("buffered", h);
  MPI_Finalize();
  return 0;
}
