// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that pack messages where they are received, each with tags and buffers of its own, all at the same time,
// while another sends ordinary ones to the same rank.
//
// RUN: env MPISHM_PLACE=0 %run-both %s --packs 2 --work %t --ranks 2 --flags "-O1 -pthread"
// RUN: timeout 60 mpiexec -n 2 %t/rewritten/program > %t/out1
// RUN: env MPISHM_PLACE=0 timeout 60 mpiexec -n 2 %t/rewritten/program > %t/out2
// RUN: diff %t/out1 %t/out2
#include "report.h"
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3, STEPS = 30, MOST = 40 };

static int rank, other;

struct work {
  int number;
  unsigned short n;
  hash_t h;
};
static struct work works[THREADS];
static double *out[THREADS], *in[THREADS], *from[THREADS];

static void pack(int t) {
  const int n = works[t].n;
  double *to = out[t];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      *to++ = from[t][j * n + i];
}

static void exchange(struct work *w, int step) {
  const int t = w->number, tag = 10 * t, count = works[t].n * works[t].n;
  int token = step;
  MPI_Request requests[2];
  MPI_Irecv(in[t], count, MPI_DOUBLE, other, tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Sendrecv_replace(&token, 1, MPI_INT, other, tag + 1, other, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pack(t);
  MPI_Isend(out[t], count, MPI_DOUBLE, other, tag, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  w->h = hash_bytes(w->h, in[t], count * sizeof(double));

  MPI_Irecv(in[t], count, MPI_DOUBLE, other, tag + 2, MPI_COMM_WORLD, &requests[0]);
  pack(t);
  MPI_Send(out[t], works[t].n * works[t].n, MPI_DOUBLE, other, tag + 2, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  w->h = hash_bytes(w->h, in[t], count * sizeof(double));
}

static void ordinary(struct work *w) {
  const int t = w->number;
  MPI_Request request;
  MPI_Irecv(in[t], MOST, MPI_DOUBLE, other, 10 * t, MPI_COMM_WORLD, &request);
  MPI_Send(from[t], MOST, MPI_DOUBLE, other, 10 * t, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  w->h = hash_bytes(w->h, in[t], MOST * sizeof(double));
}

static void *run(void *argument) {
  struct work *w = argument;
  for (int step = 0; step < STEPS; step++) {
    w->n = step * (w->number + 3) % MOST;
    for (int i = 0; i < MOST * MOST; i++)
      from[w->number][i] = rank + 10.0 * step + i;
    if (w->number == 0)
      ordinary(w);
    else
      exchange(w, step);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = rank ^ 1;
  for (int t = 0; t < THREADS; t++) {
    struct work *w = &works[t];
    w->number = t;
    w->h = HASH_START;
    out[t] = malloc(MOST * MOST * sizeof(double));
    in[t] = malloc(MOST * MOST * sizeof(double));
    from[t] = malloc(MOST * MOST * sizeof(double));
    if (provided < MPI_THREAD_MULTIPLE)
      run(w);
    else
      pthread_create(&threads[t], NULL, run, w);
  }
  for (int t = 0; t < THREADS; t++) {
    if (provided >= MPI_THREAD_MULTIPLE)
      pthread_join(threads[t], NULL);
    report("thread", works[t].h);
    free(out[t]);
    free(in[t]);
    free(from[t]);
  }
  MPI_Finalize();
  return 0;
}
