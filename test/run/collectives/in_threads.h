/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads that each work on a communicator of their own; one after the other where the library provides less than
 * MPI_THREAD_MULTIPLE.
 */
#ifndef IN_THREADS_H
#define IN_THREADS_H

#include "collectives.h"
#include <pthread.h>

enum { THREADS = 3 };

struct worker {
  MPI_Comm comm;
  int number;
};

static void expect(int found, int wanted) {
  if (found != wanted)
    wrong("what a thread got", found);
}

/* The rest of main: `run` gets a struct worker. */
static int in_threads(int argc, char **argv, void *(*run)(void *)) {
  struct worker workers[THREADS];
  int provided;
  pthread_t threads[THREADS];
  MPISHM_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < THREADS; i++) {
    workers[i].number = i;
    MPISHM_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
  }
  for (int i = 0; i < THREADS; i++)
    if (provided == MPI_THREAD_MULTIPLE)
      pthread_create(&threads[i], NULL, run, &workers[(i + rank) % THREADS]);
    else
      run(&workers[i]);
  for (int i = 0; i < THREADS && provided == MPI_THREAD_MULTIPLE; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    MPI_Comm_free(&workers[i].comm);
  return finish(0);
}

#endif
