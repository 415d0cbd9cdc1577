// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a handler of its own a truncated message ends the program, as it ends the original.
//
// RUN: %run-both %s --work %t --ranks 2 --aborts "message truncated"
#include "report.h"

int main(int argc, char **argv) {
  int rank, in[2], out[4] = {1, 2, 3, 4};
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    printf("before\n");
    fflush(stdout);
    MPI_Isend(out, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Recv(in, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("never printed\n");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
