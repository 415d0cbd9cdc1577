// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that each make, use and free windows of a communicator of their own, while all of them use three windows
// together: two under one lock_all, of the node's memory and of private memory, where they put and get, with requests
// too, and count exactly; and one whose targets each of them locks for itself. (Where the library provides less than
// MPI_THREAD_MULTIPLE, one after the other.)
//
// DEFINE: %{folders} = -I%S/../Inputs -I%S/../collectives
// RUN: mkdir -p %t && mpishmcc -O1 -g -pthread %{folders} -Wno-stringop-overflow %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// CHECK: all right
#include "in_threads.h"

enum { WINDOWS = 4, STEPS = 12, ROOM = 400, NUMBERS = 40 };

/* In the windows of all threads: what they count one by one and together, in C's datatype and in Fortran's, which is
 * for MPI to do; and for each of them what the rank before puts. */
enum { TOGETHER = THREADS, BY_MPI, COUNTED, ALL = COUNTED + THREADS * NUMBERS };

/* The first thread makes them, before the others go on. */
static MPI_Win common[2], locked;
static long *common_base[2], *locked_base;
static pthread_barrier_t made, used;

static void count_in(MPI_Win win, int number) {
  long one = 1, got;
  int fortran = 1;
  MPISHM_Fetch_and_op(&one, &got, MPI_LONG, 0, number, MPI_SUM, win);
  MPISHM_Accumulate(&one, 1, MPI_LONG, 0, TOGETHER, 1, MPI_LONG, MPI_SUM, win);
  MPISHM_Accumulate(&fortran, 1, MPI_INTEGER, 0, BY_MPI, 1, MPI_INTEGER, MPI_SUM, win);
  MPISHM_Win_flush_local(0, win); /* these variables are MPI's until then */
}

static void put_in(MPI_Win win, int number, int stamp) {
  long mine[NUMBERS], got[NUMBERS] = {0};
  int next = (rank + 1) % size, first = COUNTED + number * NUMBERS;
  MPI_Request requests[2];
  for (int i = 0; i < NUMBERS; i++)
    mine[i] = stamp + i;
  for (int i = 0; i < NUMBERS - 1; i++)
    MPISHM_Put(&mine[i], 1, MPI_LONG, next, first + i, 1, MPI_LONG, win);
  MPISHM_Rput(&mine[NUMBERS - 1], 1, MPI_LONG, next, first + NUMBERS - 1, 1, MPI_LONG, win, &requests[0]);
  MPISHM_Wait(&requests[0], MPI_STATUS_IGNORE);
  if (number % 2)
    MPISHM_Win_flush(next, win);
  else
    MPISHM_Win_flush_all(win);
  MPISHM_Rget(got, NUMBERS / 2, MPI_LONG, next, first, NUMBERS / 2, MPI_LONG, win, &requests[0]);
  MPISHM_Rget(got + NUMBERS / 2, NUMBERS / 2, MPI_LONG, next, first + NUMBERS / 2, NUMBERS / 2, MPI_LONG, win,
              &requests[1]);
  MPISHM_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < NUMBERS; i++)
    expect((int)got[i], stamp + i);
}

/* A target of its own, which other ranks' threads lock, too. */
static void lock_one(int target) {
  long number;
  if (target >= size)
    return;
  MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, locked);
  MPISHM_Get(&number, 1, MPI_LONG, target, 0, 1, MPI_LONG, locked);
  MPISHM_Win_flush(target, locked);
  number++;
  MPISHM_Put(&number, 1, MPI_LONG, target, 0, 1, MPI_LONG, locked);
  MPISHM_Win_unlock(target, locked);
}

static void in_window(const struct worker *worker, int number) {
  int *base, mine[ROOM], next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Win win;
  if (number % 2)
    MPISHM_Win_create(base = malloc(ROOM * sizeof(int)), ROOM * sizeof(int), sizeof(int), MPI_INFO_NULL, worker->comm,
                      &win);
  else
    MPISHM_Win_allocate(ROOM * sizeof(int), sizeof(int), MPI_INFO_NULL, worker->comm, &base, &win);
  for (int step = 0; step < STEPS; step++) {
    int n = 1 + (step * 61) % (ROOM - 1), stamp = 1000 * worker->number + 10 * step + number;
    for (int i = 0; i < n; i++)
      mine[i] = stamp + rank + i;
    MPISHM_Win_fence(0, win);
    MPISHM_Put(mine, n, MPI_INT, next, 0, n, MPI_INT, win);
    put_in(common[step % 2], worker->number, stamp);
    MPISHM_Win_fence(MPI_MODE_NOSUCCEED, win);
    expect(base[n - 1], stamp + before + n - 1);
    MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
    MPISHM_Get(mine, 1, MPI_INT, next, n - 1, 1, MPI_INT, win);
    MPISHM_Win_unlock(next, win);
    expect(mine[0], stamp + rank + n - 1);
    lock_one(worker->number);
    count_in(common[(step + 1) % 2], worker->number);
  }
  MPISHM_Win_free(&win);
  if (number % 2)
    free(base);
}

static void make_common(const struct worker *worker) {
  common_base[1] = malloc(ALL * sizeof(long));
  MPISHM_Win_allocate(ALL * sizeof(long), sizeof(long), MPI_INFO_NULL, worker->comm, &common_base[0], &common[0]);
  MPISHM_Win_create(common_base[1], ALL * sizeof(long), sizeof(long), MPI_INFO_NULL, worker->comm, &common[1]);
  MPISHM_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, worker->comm, &locked_base, &locked);
  *locked_base = 0;
  for (int i = 0; i < 2; i++) {
    memset(common_base[i], 0, ALL * sizeof(long));
    MPI_Barrier(worker->comm);
    MPISHM_Win_lock_all(0, common[i]);
  }
}

static void free_common(const struct worker *worker) {
  int counted = size * WINDOWS * STEPS / 2, fortran;
  for (int i = 0; i < 2; i++) {
    MPISHM_Win_unlock_all(common[i]);
    MPI_Barrier(worker->comm);
    for (int k = 0; rank == 0 && k < THREADS; k++)
      expect((int)common_base[i][k], counted);
    memcpy(&fortran, &common_base[i][BY_MPI], sizeof fortran);
    expect((int)common_base[i][TOGETHER], rank == 0 ? THREADS * counted : 0);
    expect(fortran, rank == 0 ? THREADS * counted : 0);
    MPISHM_Win_free(&common[i]);
  }
  expect((int)*locked_base, rank < THREADS ? size * WINDOWS * STEPS : 0);
  MPISHM_Win_free(&locked);
  free(common_base[1]);
}

static void *run(void *argument) {
  const struct worker *worker = argument;
  int provided;
  MPI_Query_thread(&provided);
  int together = provided == MPI_THREAD_MULTIPLE;
  if (worker->number == 0)
    make_common(worker);
  if (together)
    pthread_barrier_wait(&made);
  for (int i = 0; i < WINDOWS; i++)
    in_window(worker, i);
  if (together)
    pthread_barrier_wait(&used);
  if (worker->number == (together ? 0 : THREADS - 1))
    free_common(worker);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_barrier_init(&made, NULL, THREADS);
  pthread_barrier_init(&used, NULL, THREADS);
  return in_threads(argc, argv, run);
}
