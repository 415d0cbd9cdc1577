// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of windows that its owner writes and reads directly, in an epoch that stays open, with MPISHM_Win_sync: others
// get what it has stored, and it loads what they have put and added, told by messages, by collectives, or by a word
// that is put, for which it looks in its own memory. In memory of malloc, of a variable, and of each other kind.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"

enum { WORDS = 48, ROUNDS = 60, PUT = 16, ADDED = 32, FLAG = 40 };

static long variable[WORDS];

/* Behind it all have come; in one of three ways. */
static void meet(int how) {
  int token = how, after = (rank + 1) % size, before = (rank + size - 1) % size;
  if (how == 0)
    MPISHM_Barrier(MPI_COMM_WORLD);
  for (int i = 0; how > 0 && i < size; i++) { /* after so many steps around */
    MPI_Request request;
    MPISHM_Isend(&token, 1, MPI_INT, after, 5, MPI_COMM_WORLD, &request);
    MPISHM_Recv(&token, 1, MPI_INT, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/* The next rank puts a number here, last of all, and this rank looks until it sees it. */
static void await_flag(MPI_Win win, const long *base, long number) {
  const volatile long *flag = base + FLAG;
  while (*flag != number) {
    int is_there;
    MPISHM_Win_sync(win);
    MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE); /* drives MPI between nodes */
  }
  MPISHM_Win_sync(win);
}

static void one_round(MPI_Win win, long *base, int round) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  long got[PUT], one = round + rank, number = round + 1;
  static long mine[ADDED - PUT];
  for (int i = 0; i < PUT; i++)
    base[i] = 1000L * round + 10 * rank + i;
  MPISHM_Win_sync(win);
  meet(round % 2);
  MPISHM_Get(got, PUT, MPI_LONG, to, 0, PUT, MPI_LONG, win);
  MPISHM_Win_flush(to, win);
  for (int i = 0; i < PUT; i++)
    expect("what its owner has stored", got[i], 1000L * round + 10 * to + i);
  for (int i = PUT; i < ADDED; i++)
    mine[i - PUT] = -1000L * round - 10 * rank - i;
  for (int i = PUT; i < ADDED; i += 4)
    MPISHM_Put(mine + (i - PUT), 4, MPI_LONG, to, i, 4, MPI_LONG, win);
  for (int i = ADDED; i < FLAG; i++)
    MPISHM_Accumulate(&one, 1, MPI_LONG, to, i, 1, MPI_LONG, MPI_SUM, win);
  MPISHM_Win_flush(to, win);
  MPISHM_Accumulate(&number, 1, MPI_LONG, to, FLAG, 1, MPI_LONG, MPI_REPLACE, win);
  MPISHM_Win_flush(to, win);
  await_flag(win, base, number);
  for (int i = PUT; i < ADDED; i++)
    expect("what was put", base[i], -1000L * round - 10 * from - i);
  for (int i = ADDED; i < FLAG; i++) {
    expect("what was added", base[i], 2L * round + from);
    base[i] = round + 1; /* which the next one's is added to */
  }
  MPISHM_Win_sync(win);
  meet((round + 1) % 2);
}

static void in_window(MPI_Win win, long *base) {
  memset(base, 0, WORDS * sizeof(long));
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_lock_all(0, win);
  for (int round = 0; round < ROUNDS; round++)
    one_round(win, base, round);
  MPISHM_Win_unlock_all(win);
}

int main(int argc, char **argv) {
  int near;
  MPI_Win win;
  start(&argc, &argv);
  MPI_Comm_size(node, &near);
  for (enum way way = 0; way < WAYS; way++) {
    if (way == ALLOCATE_SHARED && near < size)
      continue;
    struct made made = make(way, WORDS * sizeof(long), sizeof(long), MPI_COMM_WORLD);
    in_window(made.win, (long *)made.base);
    unmake(&made);
  }
  MPISHM_Win_create(variable, sizeof variable, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  in_window(win, variable);
  MPISHM_Win_free(&win);
  return finish(WAYS * ROUNDS);
}
