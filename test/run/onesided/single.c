// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single words that are each flushed on their own, and several before one flush, in all orders: what the first of them
// does is done at once, or kept, and is the same. Operations, datatypes, windows and targets take turns; all ranks add
// to the same words; and what one rank does to a word of its own is in the order of its calls.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 4 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"
#include <stdint.h>

enum { ROUNDS = 400, RANKS = 4, MOST = 20 };

struct part {
  int64_t counter, mine[RANKS], swapped[RANKS];
  double sum;
  int32_t narrow, flags;
  double least[RANKS];
};
#define AT(member) ((MPI_Aint)offsetof(struct part, member))

/* How many are called before each flush. */
static int calls_in(int round) {
  static const int calls[] = {1, 1, 1, 2, 1, 0, 1, 1, MOST, 1, 1, 0, 0, 3};
  return calls[round % (int)(sizeof calls / sizeof *calls)];
}

/* To words that all ranks add to. */
static void add(MPI_Win win, int to, int i) {
  static const int64_t one = 1;
  static const int32_t narrow = 1;
  static const double half = 0.5;
  if (i % 3 == 0)
    MPISHM_Accumulate(&one, 1, MPI_INT64_T, to, AT(counter), 1, MPI_INT64_T, MPI_SUM, win);
  else if (i % 3 == 1)
    MPISHM_Accumulate(&half, 1, MPI_DOUBLE, to, AT(sum), 1, MPI_DOUBLE, MPI_SUM, win);
  else
    MPISHM_Accumulate(&narrow, 1, MPI_INT32_T, to, AT(narrow), 1, MPI_INT32_T, MPI_SUM, win);
}

/* To words of this rank's own, each of which has to meet what the ones before have left, flushed or not. */
static void change(MPI_Win win, int to, int round) {
  static int64_t first, second = 2, third = 7, next, seen;
  static double value;
  int64_t before = -1;
  const MPI_Aint mine = AT(mine) + rank * 8, swapped = AT(swapped) + rank * 8;
  first = round;
  next = round + 1;
  value = round;
  MPISHM_Accumulate(&first, 1, MPI_INT64_T, to, mine, 1, MPI_INT64_T, MPI_REPLACE, win);
  if (round % 2)
    MPISHM_Win_flush(to, win);
  MPISHM_Accumulate(&second, 1, MPI_INT64_T, to, mine, 1, MPI_INT64_T, MPI_SUM, win);
  if (round % 3 == 0)
    MPISHM_Win_flush(to, win);
  MPISHM_Fetch_and_op(&third, &before, MPI_INT64_T, to, mine, MPI_BXOR, win);
  MPISHM_Win_flush(to, win);
  expect("what was there", (long)before, round + 2);
  MPISHM_Fetch_and_op(NULL, &before, MPI_INT64_T, to, mine, MPI_NO_OP, win);
  MPISHM_Win_flush(to, win);
  expect("what is there", (long)before, (round + 2) ^ 7);
  MPISHM_Compare_and_swap(&next, &first, &seen, MPI_INT64_T, to, swapped, win);
  MPISHM_Win_flush(to, win);
  expect("what was compared", (long)seen, round);
  MPISHM_Accumulate(&value, 1, MPI_DOUBLE, to, AT(least) + rank * 8, 1, MPI_DOUBLE, MPI_MIN, win);
  MPISHM_Win_flush(to, win);
}

static void check(const struct part *part, int members, long added[3]) {
  expect("a counter", (long)part->counter, members * added[0]);
  expect("a sum", (long)(2 * part->sum), members * added[1]);
  expect("a narrow counter", part->narrow, members * added[2]);
  for (int i = 0; i < members; i++) {
    expect("what was replaced last", (long)part->mine[i], (ROUNDS - 1 + 2) ^ 7);
    expect("what was swapped", (long)part->swapped[i], ROUNDS);
    expect("the least", (long)part->least[i], -1);
  }
}

static void prepare(struct part *part) {
  memset(part, 0, sizeof *part);
  for (int i = 0; i < RANKS; i++)
    part->least[i] = -1;
}

int main(int argc, char **argv) {
  struct made made[WAYS];
  long added[3] = {0};
  start(&argc, &argv);
  for (enum way way = 0; way < WAYS; way++) {
    made[way] = make(way, sizeof(struct part), 1, MPI_COMM_WORLD);
    prepare((struct part *)made[way].base);
    MPI_Barrier(MPI_COMM_WORLD);
    MPISHM_Win_lock_all(0, made[way].win);
  }
  for (int round = 0; round < ROUNDS; round++)
    for (int to = 0; to < size; to++) {
      for (int i = 0; i < calls_in(round); i++, added[0] += to == 0)
        for (enum way way = 0; way < WAYS; way++)
          add(made[way].win, to, 0);
      for (enum way way = 0; way < WAYS; way++) {
        MPISHM_Win_flush(to, made[way].win);
        for (int i = 1; i < 3; i++)
          add(made[way].win, to, i);
        change(made[way].win, to, round);
      }
      added[1] += to == 0;
      added[2] += to == 0;
    }
  for (enum way way = 0; way < WAYS; way++) {
    MPISHM_Win_unlock_all(made[way].win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPISHM_Win_lock(MPI_LOCK_SHARED, rank, 0, made[way].win);
    check((const struct part *)made[way].base, size, added);
    MPISHM_Win_unlock(rank, made[way].win);
    MPI_Barrier(MPI_COMM_WORLD);
    unmake(&made[way]);
  }
  return finish(WAYS * ROUNDS);
}
