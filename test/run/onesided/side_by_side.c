// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts into private memory that are kept and then written together, short ones as they are when they are called, longer
// ones until they are flushed: pieces that lie side by side, with holes between, downwards, onto the same place again,
// and more of them than are kept, all with the values of their calls.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"

enum { WORDS = 4096, PUTS = 100, TURNS = 40, LONGEST = 700 };

static long memory[WORDS], wanted[WORDS], mine[LONGEST];

/* From one rank to the next; which place follows which one depends on the turn. */
static void put_all(MPI_Win win, int turn) {
  int at = 0, i, k;
  for (i = 0; i < PUTS; i++) {
    int count = 1 + (i * 7 + turn) % (turn % 2 ? 3 : LONGEST), value = turn * 1000 + i;
    if (at + count > WORDS)
      at = 0;
    for (k = 0; k < count; k++) {
      mine[k] = value + k;
      wanted[at + k] = value + k;
    }
    MPISHM_Put(mine, count, MPI_LONG, (rank + 1) % size, at, count, MPI_LONG, win);
    MPISHM_Win_flush_local((rank + 1) % size, win);
    for (k = 0; k < count && turn % 3 == 0; k++)
      mine[k] = -1;
    at += turn % 4 == 0 ? count + 1 : turn % 4 == 1 ? -count : turn % 4 == 2 ? 0 : count;
    at = at < 0 ? WORDS / 2 : at;
  }
}

/* The same without a flush between, where no place is put to twice. */
static void put_side_by_side(MPI_Win win, int turn) {
  int i, count = turn % 2 ? 1 + turn % 5 : 300 + 10 * turn;
  static long values[WORDS];
  for (i = 0; i + count <= WORDS; i += count + (turn % 3 == 0 && i % 7 == 0)) {
    for (int k = 0; k < count; k++)
      wanted[i + k] = values[i + k] = turn + i * 10 + k;
    MPISHM_Put(values + i, count, MPI_LONG, (rank + 1) % size, i, count, MPI_LONG, win);
  }
}

int main(int argc, char **argv) {
  MPI_Win win;
  start(&argc, &argv);
  MPISHM_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int turn = 0; turn < TURNS; turn++) {
    MPISHM_Barrier(MPI_COMM_WORLD);
    MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, win);
    if (turn < TURNS / 2)
      put_all(win, turn);
    else
      put_side_by_side(win, turn);
    MPISHM_Win_unlock((rank + 1) % size, win);
    MPISHM_Barrier(MPI_COMM_WORLD);
    MPISHM_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    for (int i = 0; i < WORDS; i++)
      expect("what was put", memory[i], wanted[i]);
    MPISHM_Win_unlock(rank, win);
  }
  MPISHM_Win_free(&win);
  return finish(TURNS * WORDS);
}
