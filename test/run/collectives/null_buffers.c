// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of nothing, whose buffers are null pointers, leave the datatype as it is: those of data that follow are
// right.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-nonnull %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// CHECK: all right
#include "collectives.h"

enum { MOST = 8 };

static void of_nothing(void) {
  int counts[MOST] = {0}, at[MOST] = {0}, sink;
  MPI_Request request;
  MPISHM_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPISHM_Alltoall(NULL, 0, MPI_INT, &sink, 0, MPI_INT, MPI_COMM_WORLD);
  MPISHM_Alltoallv(NULL, counts, at, MPI_INT, &sink, counts, at, MPI_INT, MPI_COMM_WORLD);
  MPISHM_Allgatherv(NULL, 0, MPI_INT, &sink, counts, at, MPI_INT, MPI_COMM_WORLD);
  MPISHM_Gather(NULL, 0, MPI_INT, &sink, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPISHM_Scatterv(NULL, counts, at, MPI_INT, &sink, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPISHM_Ialltoallv(NULL, counts, at, MPI_INT, NULL, counts, at, MPI_INT, MPI_COMM_WORLD, &request);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int in[MOST], out[MOST];
  void *others[64];
  start(&argc, &argv);
  for (int i = 0; i < 20; i++) {
    of_nothing();
    for (int k = 0; k < 64; k++) /* what was freed by mistake is used again */
      others[k] = memset(malloc(64), 0x5a, 64);
    for (int k = 0; k < size; k++)
      in[k] = 10 * rank + k + i;
    MPISHM_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
    for (int k = 0; k < size; k++)
      if (out[k] != 10 * k + rank + i)
        wrong("what was exchanged after nothing", out[k]);
    checks++;
    for (int k = 0; k < 64; k++)
      free(others[k]);
  }
  return finish(20);
}
