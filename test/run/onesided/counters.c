// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool rewrites counters, a lock that waits in a list (one window of three words for each rank,
// MPI_Compare_and_swap and MPI_Fetch_and_op), and sums that all ranks add to; counted exactly, as by MPI alone.
//
// Open MPI's own windows do not come to an end of this within two minutes where four ranks have two cores.
// UNSUPPORTED: mpi-openmpi
// RUN: %run-both %s --work %t
// RUN: %run-both %s --work %t --again --ranks 3 --ragged
#include "report.h"

enum { TIMES = 25, NOBODY = -1 };

/* A queue lock of Mellor-Crummey and Scott, whose last member's number is at rank 0. */
struct lock {
  MPI_Win win;
  int *words; /* next, blocked, last */
};

static int rank, size;

static void lock_make(struct lock *l) {
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &l->words, &l->win);
  l->words[0] = l->words[2] = NOBODY;
  l->words[1] = 0;
  MPI_Win_lock_all(0, l->win);
  MPI_Win_sync(l->win);
  MPI_Barrier(MPI_COMM_WORLD);
}

static int exchange(struct lock *l, int value, int target, int word, MPI_Op op) {
  int old;
  MPI_Fetch_and_op(&value, &old, MPI_INT, target, word, op, l->win);
  MPI_Win_flush(target, l->win);
  return old;
}

static void lock_take(struct lock *l) {
  int before;
  exchange(l, NOBODY, rank, 0, MPI_REPLACE);
  exchange(l, 1, rank, 1, MPI_REPLACE);
  before = exchange(l, rank, 0, 2, MPI_REPLACE);
  if (before == NOBODY)
    return;
  exchange(l, rank, before, 0, MPI_REPLACE);
  while (exchange(l, 0, rank, 1, MPI_NO_OP)) {
  }
}

static void lock_give(struct lock *l) {
  int nobody = NOBODY, next, found;
  MPI_Compare_and_swap(&nobody, &rank, &found, MPI_INT, 0, 2, l->win);
  MPI_Win_flush(0, l->win);
  if (found == rank)
    return;
  while ((next = exchange(l, 0, rank, 0, MPI_NO_OP)) == NOBODY) {
  }
  exchange(l, 0, next, 1, MPI_REPLACE);
}

int main(int argc, char **argv) {
  struct lock lock;
  long *shared, counts[2], one = 1, number = 0, sum = 0;
  double *sums, half = 0.5;
  MPI_Win counted, added;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  lock_make(&lock);
  shared = calloc(2, sizeof *shared);
  MPI_Win_create(shared, 2 * sizeof *shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &counted);
  MPI_Win_lock_all(0, counted);
  for (int i = 0; i < TIMES; i++) {
    long seen;
    MPI_Fetch_and_op(&one, &number, MPI_LONG, 0, 0, MPI_SUM, counted);
    MPI_Win_flush(0, counted);
    sum += number;
    lock_take(&lock); /* alone now: what is got and put is counted exactly */
    MPI_Get(&seen, 1, MPI_LONG, 0, 1, 1, MPI_LONG, counted);
    MPI_Win_flush(0, counted);
    seen++;
    MPI_Put(&seen, 1, MPI_LONG, 0, 1, 1, MPI_LONG, counted);
    MPI_Win_flush(0, counted);
    lock_give(&lock);
  }
  MPI_Win_unlock_all(counted);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  h = hash_number(h, sum);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, counted);
  MPI_Get(counts, 2, MPI_LONG, 0, 0, 2, MPI_LONG, counted);
  MPI_Win_unlock(0, counted);
  h = hash_bytes(h, counts, sizeof counts);

  MPI_Win_allocate(8 * sizeof *sums, sizeof *sums, MPI_INFO_NULL, MPI_COMM_WORLD, &sums, &added);
  memset(sums, 0, 8 * sizeof *sums);
  MPI_Win_fence(0, added);
  for (int i = 0; i < TIMES; i++)
    for (int to = 0; to < size; to++)
      MPI_Accumulate(&half, 1, MPI_DOUBLE, to, i % 8, 1, MPI_DOUBLE, MPI_SUM, added);
  MPI_Win_fence(0, added);
  h = hash_bytes(h, sums, 8 * sizeof *sums);
  report("counted", h);
  MPI_Win_free(&added);
  MPI_Win_free(&counted);
  free(shared);
  MPI_Win_unlock_all(lock.win);
  MPI_Win_free(&lock.win);
  MPI_Finalize();
  return 0;
}
