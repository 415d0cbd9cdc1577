// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that each start and complete nonblocking collectives of a communicator of their own at the same time. (Where
// the library provides less than MPI_THREAD_MULTIPLE, one after the other.)
//
// DEFINE: %{folders} = -I%S/../Inputs -I%S/../collectives
// RUN: mkdir -p %t && mpishmcc -O1 -g -pthread %{folders} -Wno-stringop-overflow %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// CHECK: all right
#include "in_threads.h"
#include <unistd.h>

enum { STEPS = 40, INTS = 6000 };

struct data {
  int from[INTS], sums[INTS], data[INTS], all[INTS];
};
static struct data data_of[THREADS];

static void *run(void *argument) {
  const struct worker *worker = argument;
  struct data *w = &data_of[worker->number];
  for (int i = 0; i < STEPS; i++) {
    int n = i % 4 == 3 ? INTS / size : 1 + i, base = 1000 * worker->number + i, root = i % size, done = 0;
    MPI_Request requests[4];
    for (int k = 0; k < INTS; k++) {
      w->from[k] = base + rank + k;
      w->data[k] = rank == root ? base + k : -1;
    }
    usleep((unsigned)(rank * 3 + worker->number * 5 + i * 7) % 4 * 50);
    MPISHM_Ibcast(w->data, n, MPI_INT, root, worker->comm, &requests[2]);
    MPISHM_Iallreduce(w->from, w->sums, n, MPI_INT, MPI_MAX, worker->comm, &requests[0]);
    MPISHM_Ialltoall(w->from, n, MPI_INT, w->all, n, MPI_INT, worker->comm, &requests[1]);
    MPISHM_Ibarrier(worker->comm, &requests[3]);
    if (i % 3 == worker->number)
      while (!done)
        MPISHM_Testall(4, requests, &done, MPI_STATUSES_IGNORE);
    else
      MPISHM_Waitall(4, requests, MPI_STATUSES_IGNORE);
    expect(w->data[n - 1], base + n - 1);
    expect(w->sums[n - 1], base + size - 1 + n - 1);
    for (int from = 0; from < size; from++)
      expect(w->all[from * n + n - 1], base + from + rank * n + n - 1);
  }
  return NULL;
}

int main(int argc, char **argv) { return in_threads(argc, argv, run); }
