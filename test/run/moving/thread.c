// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message buffers that threads fill and empty, which get them in a record, and give one of them back.
//
// RUN: %run-both %s --flags "-O1 -pthread" --work %t --ranks 4 --ragged --moves 2
#include "report.h"
#include <pthread.h>

enum { LENGTH = 3000, THREADS = 2 };

struct part {
  const int *from;
  int *into, begin, end;
};

static void *turn(void *argument) {
  struct part *p = argument;
  for (int k = p->begin; k < p->end; k++)
    p->into[k] = 3 * p->from[LENGTH - 1 - k] + k % 7;
  return NULL;
}

static void *give_back(void *argument) {
  struct part *p = argument;
  free(p->into);
  return NULL;
}

int main(int argc, char **argv) {
  int rank, size, *out = malloc(LENGTH * sizeof(int)), *in = malloc(LENGTH * sizeof(int));
  hash_t hash = HASH_START;
  struct part parts[THREADS];
  pthread_t threads[THREADS];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < LENGTH; k++)
    in[k] = (7919 * k + 17 * rank) % 1009;
  for (int step = 0; step < 4; step++) {
    for (int t = 0; t < THREADS; t++) {
      parts[t] = (struct part){in, out, t * LENGTH / THREADS, (t + 1) * LENGTH / THREADS};
      pthread_create(&threads[t], NULL, turn, &parts[t]);
    }
    for (int t = 0; t < THREADS; t++)
      pthread_join(threads[t], NULL);
    MPI_Sendrecv(out, LENGTH, MPI_INT, (rank + 1) % size, step, in, LENGTH, MPI_INT, (rank + size - 1) % size, step,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hash = hash_bytes(hash, in, LENGTH * sizeof *in);
  }
  report("threads", hash);
  pthread_create(&threads[0], NULL, give_back, &parts[0]);
  pthread_join(threads[0], NULL);
  free(in);
  MPI_Finalize();
  return 0;
}
