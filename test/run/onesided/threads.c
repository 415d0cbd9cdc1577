// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that each make, use and free windows of a communicator of their own, while all of them use one window
// together, under one lock_all: what they accumulate there is counted exactly. (Where the library provides less than
// MPI_THREAD_MULTIPLE, one after the other.) With that level all windows are MPI's so far.
//
// DEFINE: %{folders} = -I%S/../Inputs -I%S/../collectives
// RUN: mkdir -p %t && mpishmcc -g -O1 -pthread %{folders} -Wno-stringop-overflow %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 mpiexec -n 2 %t/program | FileCheck %s
// CHECK: all right
//
// Open MPI 5.0.11 now and then loses operations here, though all windows are its own; why is not known.
// UNSUPPORTED: mpi-openmpi
#include "in_threads.h"

enum { WINDOWS = 4, STEPS = 12, ROOM = 400 };

static MPI_Win common; /* of all threads; the first makes it, before the others go on */
static long *common_base;
static pthread_barrier_t made, used;

static void in_window(const struct worker *worker, int number) {
  int *base, mine[ROOM], next = (rank + 1) % size, before = (rank + size - 1) % size;
  long one = 1, got;
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
    MPISHM_Fetch_and_op(&one, &got, MPI_LONG, 0, worker->number, MPI_SUM, common);
    MPISHM_Win_fence(MPI_MODE_NOSUCCEED, win);
    expect(base[n - 1], stamp + before + n - 1);
    MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
    MPISHM_Get(mine, 1, MPI_INT, next, n - 1, 1, MPI_INT, win);
    MPISHM_Win_unlock(next, win);
    expect(mine[0], stamp + rank + n - 1);
    MPISHM_Accumulate(&one, 1, MPI_LONG, 0, THREADS, 1, MPI_LONG, MPI_SUM, common);
    MPISHM_Win_flush(0, common);
  }
  MPISHM_Win_free(&win);
  if (number % 2)
    free(base);
}

static void make_common(const struct worker *worker) {
  MPISHM_Win_allocate((THREADS + 1) * sizeof(long), sizeof(long), MPI_INFO_NULL, worker->comm, &common_base, &common);
  memset(common_base, 0, (THREADS + 1) * sizeof(long));
  MPI_Barrier(worker->comm);
  MPISHM_Win_lock_all(0, common);
}

static void free_common(const struct worker *worker) {
  MPISHM_Win_unlock_all(common);
  MPI_Barrier(worker->comm);
  for (int i = 0; rank == 0 && i < THREADS; i++)
    expect((int)common_base[i], size * WINDOWS * STEPS);
  if (rank == 0)
    expect((int)common_base[THREADS], THREADS * size * WINDOWS * STEPS);
  MPISHM_Win_free(&common);
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
