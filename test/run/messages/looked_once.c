// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A receiver looks for a large message once or a few times, while it is on its way, and then sits in a collective that
// its sender must reach: the send completes without it, a synchronous one too, since its receive is posted.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"

enum { N = 400000, STEPS = 120 };

int main(int argc, char **argv) {
  static double in[N], out[N]; // mpishm: keep
  int rank, step, looks, flag, token = 0;
  hash_t h = HASH_START;
  MPI_Request r;
  MPI_Status s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (step = 0; step < STEPS; step++) {
    int n = N / (1 + step % 5);
    if (rank == 0) {
      fill_bytes(out, n * sizeof *out, step);
      MPI_Barrier(MPI_COMM_WORLD);
      if (step % 3)
        MPI_Ssend(out, n, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
      else
        MPI_Send(out, n, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
      MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
      MPI_Irecv(in, n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r);
      MPI_Barrier(MPI_COMM_WORLD);
      for (looks = flag = 0; looks < 1 + step % 7 && !flag; looks++)
        MPI_Test(&r, &flag, &s);
      MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
      if (!flag)
        MPI_Wait(&r, &s);
      h = hash_status(hash_bytes(h, in, n * sizeof *in), &s, MPI_DOUBLE);
    }
  }
  report("looked once", h);
  MPI_Finalize();
  return 0;
}
