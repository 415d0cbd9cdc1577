// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts that some members reach and others do not: memory of one rank alone, in the window or private, the others' in
// another place or nothing at all. All members do the same with such a window, whoever reaches all others: it used to
// hang in MPI_Win_free where nobody may copy from process to process.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=256K mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"

enum { WORDS = 32 };

/* Everybody puts into, accumulates in and reads rank `with`'s memory. */
static void use(MPI_Win win, const char *base, int with) {
  long mine = 100 + rank, one = 1, got = -1;
  MPISHM_Win_fence(0, win);
  MPISHM_Put(&mine, 1, MPI_LONG, with, 1 + rank, 1, MPI_LONG, win);
  MPISHM_Accumulate(&one, 1, MPI_LONG, with, 0, 1, MPI_LONG, MPI_SUM, win);
  MPISHM_Win_fence(0, win);
  MPISHM_Get(&got, 1, MPI_LONG, with, 1 + (rank + 1) % size, 1, MPI_LONG, win);
  MPISHM_Win_fence(0, win);
  expect("what another has put", got, 100 + (rank + 1) % size);
  if (rank == with)
    expect("what all have added", *(const long *)base, size);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  for (int round = 0; round < 3; round++)
    for (int with = 0; with < size; with++)
      for (int others = 0; others < 4; others++) {
        enum way way = (rank == with) == (others & 1) ? CREATE_PRIVATE : CREATE_MOVED;
        MPI_Aint bytes = rank == with || others & 2 ? (MPI_Aint)sizeof(long) * WORDS : 0;
        struct made made = make(way, bytes, sizeof(long), MPI_COMM_WORLD);
        if (bytes)
          memset(made.base, 0, (size_t)bytes);
        MPI_Barrier(MPI_COMM_WORLD);
        use(made.win, made.base, with);
        unmake(&made);
      }
  return finish(12);
}
