// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program under AddressSanitizer: messages between buffers in the window that are freed right after the wait are no
// error, and errors in the use of such buffers are still found.
//
// REQUIRES: mpi-mpich
// RUN: mkdir -p %t && mpishmcc -fsanitize=address -g -I%S/../Inputs %s -o %t/program
// DEFINE: %{run} = env UCX_MEM_EVENTS=no HWLOC_PLUGINS_PATH=/nonexistent ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 mpiexec -n 2
// RUN: %{run} %t/program right | FileCheck %s
// RUN: not %{run} %t/program freed 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %{run} %t/program beyond 2>&1 | FileCheck %s --check-prefix=ERROR
//
// CHECK: wrong: 0
// ERROR: AddressSanitizer: use-after-poison
#include "report.h"
#include <mpishm.h>

int main(int argc, char **argv) {
  int rank, wrong = 0, all;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int bytes = 10; bytes < 1000000; bytes *= 3) {
    unsigned char *in = MPISHM_Malloc(bytes), *out = MPISHM_Calloc(bytes, 1), *expected = malloc(bytes);
    MPI_Request r[2];
    fill_bytes(out, bytes, rank);
    MPISHM_Isend(out, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
    MPISHM_Irecv(in, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
    MPISHM_Wait(&r[0], MPI_STATUS_IGNORE);
    MPISHM_Free(out);
    MPISHM_Wait(&r[1], MPI_STATUS_IGNORE);
    fill_bytes(expected, bytes, 1 - rank);
    wrong += memcmp(in, expected, bytes) != 0;
    in = MPISHM_Realloc(in, bytes / 2);
    if (strcmp(argv[1], "freed") == 0)
      MPISHM_Free(in);
    if (strcmp(argv[1], "right") != 0)
      wrong += ((volatile unsigned char *)in)[bytes / 2 + 8];
    MPISHM_Free(in);
    free(expected);
  }
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wrong: %d\n", all);
  MPI_Finalize();
  return 0;
}
