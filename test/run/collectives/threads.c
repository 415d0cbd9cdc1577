// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that each make collectives of a communicator of their own at the same time, and free datatypes between them.
// (Where the library provides less than MPI_THREAD_MULTIPLE, one after the other.)
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -pthread -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_LEADERS=1 %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s
// CHECK: all right
#include "in_threads.h"
#include <unistd.h>

enum { STEPS = 60, INTS = 5000 };

struct data {
  int from[INTS], to[INTS];
};
static struct data data_of[THREADS];

static void *run(void *argument) {
  const struct worker *worker = argument;
  struct data *w = &data_of[worker->number];
  for (int i = 0; i < STEPS; i++) {
    int n = i % 4 == 3 ? INTS / size : 1 + i, base = 1000 * worker->number + i;
    MPI_Datatype every_second;
    MPI_Type_vector(n / 2, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    usleep((unsigned)(rank * 3 + worker->number * 5 + i * 7) % 4 * 50);
    for (int k = 0; k < INTS; k++)
      w->from[k] = base + rank + k;
    MPISHM_Barrier(worker->comm);
    MPISHM_Alltoall(w->from, n, MPI_INT, w->to, n, MPI_INT, worker->comm);
    for (int from = 0; from < size; from++)
      expect(w->to[from * n + n - 1], base + from + rank * n + n - 1);
    MPISHM_Allreduce(w->from, w->to, n, MPI_INT, MPI_MAX, worker->comm);
    expect(w->to[n - 1], base + size - 1 + n - 1);
    for (int k = 0; k < INTS; k++)
      w->to[k] = rank == i % size ? base + k : -1;
    MPISHM_Bcast(w->to, 1, every_second, i % size, worker->comm);
    for (int k = 0; k + 1 < n; k += 2)
      expect(w->to[k], base + k);
    MPI_Type_free(&every_second);
  }
  return NULL;
}

int main(int argc, char **argv) { return in_threads(argc, argv, run); }
