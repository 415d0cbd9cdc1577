// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Init_thread with MPI_THREAD_MULTIPLE: two threads of each rank exchange at the same time, each with tags of its
// own. (Where the library provides less, one thread after the other.)
//
// RUN: %run-both %s --work %t --ranks 2 --flags "-O1 -pthread"
#include "report.h"
#include <pthread.h>

enum { N = 5000, STEPS = 20 };

struct work {
  int first_tag, rank, size;
  hash_t h;
};

static void *exchange(void *argument) {
  struct work *w = argument;
  static _Thread_local int in[N], out[N];
  int step;
  for (step = 0; step < STEPS; step++) {
    MPI_Request r[2];
    int n = step % 2 ? N : 10;
    fill_bytes(out, n * sizeof(int), w->rank * 1000 + w->first_tag + step);
    MPI_Irecv(in, n, MPI_INT, (w->rank + w->size - 1) % w->size, w->first_tag + step % 3, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, n, MPI_INT, (w->rank + 1) % w->size, w->first_tag + step % 3, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    w->h = hash_bytes(w->h, in, n * sizeof(int));
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided, rank, size;
  pthread_t thread;

  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct work a = {0, rank, size, HASH_START}, b = {100, rank, size, HASH_START};
  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_create(&thread, NULL, exchange, &b);
    exchange(&a);
    pthread_join(thread, NULL);
  } else {
    exchange(&a);
    exchange(&b);
  }
  report("threads", hash_number(a.h, (long long)b.h));
  MPI_Finalize();
  return 0;
}
