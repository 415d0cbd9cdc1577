// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target sits in no call of MPI's until it is told that all operations of the origin are over: on one node none of
// them waits for it. (With MPI's own, some libraries would wait for ever.)
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"
#include <sched.h>
#include <stdatomic.h>

enum { INTS = 5000 };

static void origin(MPI_Win win) {
  static int data[INTS], got[INTS];
  int one = 1, before, zero = 0;
  for (int i = 0; i < INTS; i++)
    data[i] = 3 * i;
  MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
  MPISHM_Put(data, INTS, MPI_INT, 1, 1, INTS, MPI_INT, win);
  MPISHM_Win_flush(1, win);
  MPISHM_Get(got, INTS, MPI_INT, 1, 1, INTS, MPI_INT, win);
  MPISHM_Win_unlock(1, win);
  expect("what was put and got", memcmp(data, got, sizeof data), 0);
  MPISHM_Win_lock_all(0, win);
  MPISHM_Accumulate(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_SUM, win);
  MPISHM_Compare_and_swap(&one, &zero, &before, MPI_INT, 1, 1, win);
  MPISHM_Win_flush_all(win);
  expect("what was there", before, 0);
  MPISHM_Win_unlock_all(win);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  for (enum way way = 0; way < WAYS; way++) {
    /* A flag beside the window, in memory that both see without a call. */
    struct made made = make(way, sizeof(int) * (INTS + 1), sizeof(int), MPI_COMM_WORLD);
    struct made flags = make(ALLOCATE_SHARED, sizeof(int), sizeof(int), MPI_COMM_WORLD);
    MPI_Aint bytes;
    int unit;
    atomic_int *flag;
    MPI_Win_shared_query(flags.win, 1, &bytes, &unit, &flag);
    if (rank == 1)
      atomic_store(flag, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      origin(made.win);
      atomic_store(flag, 1);
    } else {
      while (!atomic_load(flag))
        sched_yield();
      const int *base = (int *)made.base;
      expect("what was swapped in", base[1], 1);
      expect("what was added", base[2], 4);
      expect("what was put", base[INTS], 3 * (INTS - 1));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    unmake(&flags);
    unmake(&made);
  }
  return finish(2 * WAYS);
}
