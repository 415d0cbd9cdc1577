// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_THREAD_MULTIPLE under stress: four threads per rank, each with tags of its own, in every kind of call at the same
// time, while a fifth makes and frees communicators and datatypes, and one thread completes what another started.
// (Where the library provides less, the threads run one after the other.)
//
// RUN: %run-both %s --work %t --ranks 2 --flags "-O1 -pthread"
// RUN: timeout 60 mpiexec -n 2 %t/rewritten/program > %t/out1
// RUN: env MPISHM_STAGE=0 timeout 60 mpiexec -n 2 %t/rewritten/program > %t/out2
// RUN: diff %t/out1 %t/out2
#include "report.h"
#include <pthread.h>
#include <string.h>

enum { THREADS = 4, STEPS = 30, LARGE = 4000 };

static int rank, other;
static pthread_barrier_t together;

struct work {
  int number;
  hash_t h;
  int in[2][LARGE], out[2][LARGE];
  MPI_Request requests[4]; /* of the exchange that the next thread completes */
};
static struct work works[THREADS]; // mpishm: keep

static void blocking(struct work *w, int tag, int n) {
  MPI_Status s;
  if (rank == 0) {
    MPI_Ssend(w->out[0], n, MPI_INT, other, tag, MPI_COMM_WORLD);
    MPI_Recv(w->in[0], LARGE, MPI_INT, other, tag, MPI_COMM_WORLD, &s);
  } else {
    MPI_Recv(w->in[0], LARGE, MPI_INT, other, tag, MPI_COMM_WORLD, &s);
    MPI_Send(w->out[0], n, MPI_INT, other, tag, MPI_COMM_WORLD);
  }
  w->h = hash_bytes(hash_status(w->h, &s, MPI_INT), w->in[0], n * sizeof(int));
  MPI_Sendrecv(w->out[1], n, MPI_INT, other, tag, w->in[1], n, MPI_INT, other, tag, MPI_COMM_WORLD, &s);
  w->h = hash_bytes(hash_status(w->h, &s, MPI_INT), w->in[1], n * sizeof(int));
}

static void start(struct work *w, int tag, int n) {
  MPI_Irecv(w->in[0], n, MPI_INT, other, tag, MPI_COMM_WORLD, &w->requests[0]);
  MPI_Isend(w->out[0], n, MPI_INT, other, tag, MPI_COMM_WORLD, &w->requests[1]);
  MPI_Irecv(w->in[1], n, MPI_INT, other, tag + 1, MPI_COMM_WORLD, &w->requests[2]);
  MPI_Issend(w->out[1], n, MPI_INT, other, tag + 1, MPI_COMM_WORLD, &w->requests[3]);
}

static void finish(struct work *w, int step) {
  int flag = 0, i, index;
  switch (step % 4) {
  case 0: MPI_Waitall(4, w->requests, MPI_STATUSES_IGNORE); break;
  case 1:
    for (i = 0; i < 4; i++)
      MPI_Waitany(4, w->requests, &index, MPI_STATUS_IGNORE);
    break;
  case 2:
    while (!flag)
      MPI_Testall(4, w->requests, &flag, MPI_STATUSES_IGNORE);
    break;
  default:
    for (i = 0; i < 4; i++)
      MPI_Wait(&w->requests[i], MPI_STATUS_IGNORE);
  }
}

static void *run(void *argument) {
  struct work *w = argument;
  int step, tag = 100 * w->number;
  for (step = 0; step < STEPS; step++) {
    int n = step % 3 ? 5 + step : LARGE;
    struct work *next = &works[(w->number + 1) % THREADS];
    fill_bytes(w->out, sizeof w->out, rank * 1000 + tag + step);
    blocking(w, tag, n);
    start(w, tag + 10, n);
    pthread_barrier_wait(&together);
    finish(next, step);
    next->h = hash_bytes(next->h, next->in, sizeof next->in);
    pthread_barrier_wait(&together);
  }
  return NULL;
}

/* Meanwhile: communicators and datatypes come and go. */
static void *make(void *argument) {
  hash_t *h = argument;
  int step, me, in[8], out[8];
  for (step = 0; step < STEPS; step++) {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Request r[2];
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_rank(comm, &me);
    MPI_Type_vector(2, 1 + step % 2, 3, MPI_INT, &type);
    MPI_Type_commit(&type);
    memset(in, 0, sizeof in);
    fill_bytes(out, sizeof out, step);
    MPI_Irecv(in, 1, type, me, 5000, comm, &r[0]);
    MPI_Isend(out, 1, type, me, 5000, comm, &r[1]);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    *h = hash_bytes(*h, in, sizeof in);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided, i;
  pthread_t threads[THREADS + 1];
  hash_t made = HASH_START;

  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  for (i = 0; i < THREADS; i++) {
    works[i].number = i;
    works[i].h = HASH_START;
  }
  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_barrier_init(&together, NULL, THREADS);
    for (i = 0; i < THREADS; i++)
      pthread_create(&threads[i], NULL, run, &works[i]);
    pthread_create(&threads[THREADS], NULL, make, &made);
    for (i = 0; i <= THREADS; i++)
      pthread_join(threads[i], NULL);
    for (i = 0; i < THREADS; i++)
      made = hash_number(made, (long long)works[i].h);
  } else {
    make(&made);
  }
  report("thread stress", made);
  MPI_Finalize();
  return 0;
}
