// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not promised by MPI, but real programs lean on it: all ranks send before any of them receives. The original manages
// that up to its library's eager limit, close to 4 KiB or more; the rewritten program inside a node also with 64 KiB and
// more.
//
// RUN: %run-both %s --work %t --timeout 60 --arguments 4000
// RUN: %run-both %s --work %t --again --ranks 2 --timeout 60 --arguments 4000
// RUN: timeout 60 mpiexec -n 4 %t/rewritten/program 65536 | FileCheck %s
// RUN: timeout 60 mpiexec -n 2 %t/rewritten/program 1048576 | FileCheck %s
//
// CHECK: sends before receives: rank 0
// CHECK: wrong messages: 0
#include "report.h"
#include <string.h>

enum { MESSAGES = 3, MAX = 1 << 20 };

int main(int argc, char **argv) {
  static char in[MESSAGES][MAX], out[MAX]; // mpishm: keep
  static char expected[MAX];
  int rank, size, i, step, bytes, wrong = 0, all_wrong;
  MPI_Request r;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  bytes = atoi(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0; step < 4; step++) {
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    memset(in, 0, sizeof in);
    for (i = 0; i < MESSAGES; i++) {
      fill_bytes(out, bytes, rank * 50 + step * 5 + i); /* the buffer is used again at once */
      MPI_Send(out, bytes, MPI_BYTE, to, i, MPI_COMM_WORLD);
    }
    for (i = 0; i < MESSAGES; i++)
      if ((i + step) % 2 == 0) {
        MPI_Recv(in[i], bytes, MPI_BYTE, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Irecv(in[i], bytes, MPI_BYTE, from, i, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
      }
    for (i = 0; i < MESSAGES; i++) {
      fill_bytes(expected, bytes, from * 50 + step * 5 + i);
      wrong += memcmp(in[i], expected, bytes) != 0;
      h = hash_bytes(h, in[i], bytes);
    }
  }
  report("sends before receives", h);
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wrong messages: %d\n", all_wrong);
  MPI_Finalize();
  return 0;
}
