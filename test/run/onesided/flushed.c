// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two ranks put, or add, flush, and then get what the other one has put: one of them at least sees it, whatever they
// have called and flushed before. So a flush after a put orders it before later gets; one after gets alone need not.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"

enum { ROUNDS = 3000, LINE = 8, WORDS = 4 * LINE };

/* What the calls before have left to be flushed. */
enum before { NOTHING, GOT, GOT_FLUSHED, PUT_FLUSHED, WAYS_BEFORE };

static void call_before(enum before before, MPI_Win win, int to) {
  static long other;
  if (before == PUT_FLUSHED)
    MPISHM_Put(&other, 1, MPI_LONG, to, 2 * LINE + rank, 1, MPI_LONG, win);
  else if (before != NOTHING)
    MPISHM_Get(&other, 1, MPI_LONG, to, 3 * LINE, 1, MPI_LONG, win);
  if (before == GOT_FLUSHED || before == PUT_FLUSHED)
    MPISHM_Win_flush(to, win);
}

static int changes_are_seen(MPI_Win win, int round) {
  const int to = 1 - rank;
  const long mine = round + 1;
  long seen = 0;
  call_before((enum before)(round % WAYS_BEFORE), win, to);
  if (round / WAYS_BEFORE % 2 == 0)
    MPISHM_Put(&mine, 1, MPI_LONG, 0, rank * LINE, 1, MPI_LONG, win);
  else
    MPISHM_Accumulate(&mine, 1, MPI_LONG, 0, rank * LINE, 1, MPI_LONG, MPI_REPLACE, win);
  MPISHM_Win_flush(0, win);
  MPISHM_Get(&seen, 1, MPI_LONG, 0, to * LINE, 1, MPI_LONG, win);
  MPISHM_Win_flush(0, win);
  return seen == mine;
}

static void check(MPI_Win win, long *base) {
  memset(base, 0, WORDS * sizeof *base);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_lock_all(0, win);
  for (int round = 0; round < ROUNDS; round++) {
    int seen, any;
    MPISHM_Barrier(MPI_COMM_WORLD);
    seen = changes_are_seen(win, round);
    MPI_Allreduce(&seen, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    expect("one at least has seen the other's", any, 1);
  }
  MPISHM_Win_unlock_all(win);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  for (enum way way = CREATE_MOVED; way < WAYS; way++) {
    struct made made = make(way, WORDS * sizeof(long), sizeof(long), MPI_COMM_WORLD);
    check(made.win, (long *)made.base);
    unmake(&made);
  }
  return finish((WAYS - CREATE_MOVED) * ROUNDS);
}
