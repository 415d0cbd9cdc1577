// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks at once on one place: accumulates of every form are counted exactly, those of pairs and of complex numbers
// too, which are longer than what a processor does at once; nobody fetches a number twice; in exclusive locks loads and
// stores of one rank after the other; readers together; and messages that are told by a flag that was put.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 4 %t/program | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"
#include <complex.h>

enum { TIMES = 60, LONG = 300 };

/* Of the window's owner, rank 0. */
struct shared {
  long counter, swapped, locked, read;
  double sum, many[LONG];
  double _Complex number;
  struct {
    double value;
    int index;
  } least;
  int flag, data[10];
  short narrow;
};
#define AT(member) ((MPI_Aint)offsetof(struct shared, member))

static struct shared *base;
static MPI_Win win;

static void accumulate(int at_once) {
  /* They have to stay until the epoch is over. */
  static double ones[LONG], half = 0.5;
  static double _Complex number = 1 + 2 * I;
  static long one = 1, fetched[TIMES];
  static short narrow = 1;
  static struct {
    double value;
    int index;
  } mine[TIMES];
  MPI_Datatype every_other;
  MPI_Type_vector(LONG / 2, 1, 2, MPI_DOUBLE, &every_other);
  MPI_Type_commit(&every_other);
  for (int i = 0; i < LONG; i++)
    ones[i] = 1;
  for (int i = 0; i < TIMES; i++) {
    mine[i].value = 1000 - i - rank;
    mine[i].index = 100 * rank + i;
    MPISHM_Accumulate(&half, 1, MPI_DOUBLE, 0, AT(sum), 1, MPI_DOUBLE, MPI_SUM, win);
    MPISHM_Accumulate(&narrow, 1, MPI_SHORT, 0, AT(narrow), 1, MPI_SHORT, MPI_SUM, win);
    MPISHM_Accumulate(ones, LONG, MPI_DOUBLE, 0, AT(many), LONG, MPI_DOUBLE, MPI_SUM, win);
    MPISHM_Accumulate(ones, LONG / 2, MPI_DOUBLE, 0, AT(many), 1, every_other, MPI_SUM, win);
    MPISHM_Accumulate(&number, 1, MPI_C_DOUBLE_COMPLEX, 0, AT(number), 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, win);
    MPISHM_Accumulate(&mine[i], 1, MPI_DOUBLE_INT, 0, AT(least), 1, MPI_DOUBLE_INT, MPI_MINLOC, win);
    MPISHM_Fetch_and_op(&one, &fetched[i], MPI_LONG, 0, AT(counter), MPI_SUM, win);
    if (at_once)
      MPISHM_Win_flush(0, win);
    if (at_once && i > 0 && fetched[i] <= fetched[i - 1])
      wrong("a number that was fetched", fetched[i]);
  }
  MPI_Type_free(&every_other);
}

static void check_sums(int rounds) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    long all = (long)rounds * size * TIMES;
    MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    expect("the counter", base->counter, all);
    expect("a sum", (long)(2 * base->sum), all);
    expect("a sum of short integers", base->narrow, all);
    for (int i = 0; i < LONG; i++)
      expect("a sum of many", (long)base->many[i], i % 2 ? all : 2 * all);
    expect("a complex sum", (long)creal(base->number), all);
    expect("a complex sum", (long)cimag(base->number), 2 * all);
    expect("the least", (long)base->least.value, 1000 - (TIMES - 1) - (size - 1));
    expect("whose it was", base->least.index, 100 * (size - 1) + TIMES - 1);
    MPISHM_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A number of its own for each, by comparing and swapping. */
static void swap(void) {
  long seen = 0, wanted, mine;
  MPISHM_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  for (int i = 0; i < TIMES; i++)
    do {
      mine = seen;
      wanted = seen + 1;
      MPISHM_Compare_and_swap(&wanted, &mine, &seen, MPI_LONG, 0, AT(swapped), win);
      MPISHM_Win_flush(0, win);
    } while (seen != mine);
  MPISHM_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPISHM_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    expect("what was swapped", base->swapped, (long)size * TIMES);
    MPISHM_Win_unlock(0, win);
  }
}

/* One adds to two places in an exclusive lock; in a shared one they are never seen to differ. */
static void lock(void) {
  long first, second;
  for (int i = 0; i < TIMES; i++) {
    MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPISHM_Get(&first, 1, MPI_LONG, 0, AT(locked), 1, MPI_LONG, win);
    MPISHM_Win_flush(0, win);
    first++;
    MPISHM_Put(&first, 1, MPI_LONG, 0, AT(locked), 1, MPI_LONG, win);
    MPISHM_Put(&first, 1, MPI_LONG, 0, AT(read), 1, MPI_LONG, win);
    MPISHM_Win_unlock(0, win);
    MPISHM_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPISHM_Get(&second, 1, MPI_LONG, 0, AT(read), 1, MPI_LONG, win);
    MPISHM_Get(&first, 1, MPI_LONG, 0, AT(locked), 1, MPI_LONG, win);
    MPISHM_Win_unlock(0, win);
    expect("what a reader finds", first, second);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_lock_all(0, win);
  MPISHM_Get(&first, 1, MPI_LONG, 0, AT(locked), 1, MPI_LONG, win);
  MPISHM_Win_unlock_all(win);
  expect("what was added in locks", first, (long)size * TIMES);
}

/* The owner loads what is put into its memory until a flag says that it is there. Only rank 1 puts. */
static void tell(void) {
  int one = 1, data[10], flag = 0, nothing = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_lock_all(0, win);
  if (rank == 1) {
    for (int i = 0; i < 10; i++)
      data[i] = 7 * i;
    MPISHM_Put(data, 10, MPI_INT, 0, AT(data), 10, MPI_INT, win);
    MPISHM_Win_flush(0, win);
    MPISHM_Accumulate(&one, 1, MPI_INT, 0, AT(flag), 1, MPI_INT, MPI_REPLACE, win);
  } else if (rank == 0) {
    while (!flag) {
      MPISHM_Fetch_and_op(&nothing, &flag, MPI_INT, 0, AT(flag), MPI_NO_OP, win);
      MPISHM_Win_flush(0, win);
    }
    MPISHM_Win_sync(win);
    for (int i = 0; i < 10; i++)
      expect("what was put before the flag", base->data[i], 7 * i);
  }
  MPISHM_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  int on_one_node;
  MPI_Comm_size(node, &on_one_node);
  for (enum way way = 0; way < WAYS; way++) {
    if (way == ALLOCATE_SHARED && on_one_node < size)
      continue;
    struct made made = make(way, rank == 0 ? (sizeof *base + 63) / 64 * 64 : 0, 1, MPI_COMM_WORLD);
    win = made.win;
    base = (struct shared *)made.base;
    if (rank == 0) {
      memset(base, 0, sizeof *base);
      base->least.value = 5000;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPISHM_Win_lock_all(0, win);
    accumulate(1);
    MPISHM_Win_unlock_all(win);
    check_sums(1);
    MPISHM_Win_fence(0, win);
    accumulate(0);
    MPISHM_Win_fence(MPI_MODE_NOSUCCEED, win);
    check_sums(2);
    swap();
    lock();
    tell();
    unmake(&made);
  }
  return finish(3 * TIMES);
}
