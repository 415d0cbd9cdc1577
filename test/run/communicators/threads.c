// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators made and freed at the same time by several threads, each from a parent of its own, in another order on
// every rank: by dup and idup, by split, and by a dup that makes another in its attribute's copy function. The same
// tags and peers are used on all of them at once: messages must not cross. What the runtime's registration says through
// MPI is slowed down, so that registrations overlap. (Where the library provides less than MPI_THREAD_MULTIPLE, one
// thread after the other.)
//
// RUN: %run-both %s --work %t --ranks 2 --flags "-O1 -pthread" --leaves Test
#define _GNU_SOURCE
#include "report.h"
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 12 };

/* Stands before the MPI library's: what the runtime sends. */
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request *request) {
  static int (*mpis)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
  static _Atomic unsigned calls;
  if (!mpis)
    *(void **)&mpis = dlsym(RTLD_NEXT, "PMPI_Isend");
  usleep(500 + calls++ * 7919u % 1500);
  return mpis(buffer, count, type, dest, tag, comm, request);
}

struct work {
  MPI_Comm parent, plain;
  int number;
  hash_t h;
};
static struct work works[THREADS];

static hash_t shift(hash_t h, MPI_Comm comm, int value) {
  int rank, size, in[3] = {-1, -1, -1}, out[3];
  MPI_Request r[2];
  MPI_Status s;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < 3; i++)
    out[i] = value + i;
  for (int i = 0; i < 2; i++) {
    MPI_Irecv(in, 3, MPI_INT, (rank + size - 1) % size, 1, comm, &r[0]);
    MPI_Isend(out, 3, MPI_INT, (rank + 1) % size, 1, comm, &r[1]);
    MPI_Wait(&r[0], &s);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &s, MPI_INT), in, sizeof in);
  }
  return h;
}

/* The attribute is the number of a thread. With each copy of its communicator goes a new twin, as libraries make
 * communicators of their own. */
static MPI_Comm twins[THREADS];
static int twin_key;

static int copy_twin(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
  int number = (int)(intptr_t)in;
  (void)comm, (void)key, (void)extra;
  MPI_Comm_dup(works[number].plain, &twins[number]);
  *(void **)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static int delete_twin(MPI_Comm comm, int key, void *value, void *extra) {
  int number = (int)(intptr_t)value;
  (void)key, (void)extra;
  if (comm != works[number].parent)
    MPI_Comm_free(&twins[number]);
  return MPI_SUCCESS;
}

static void *make(void *argument) {
  struct work *w = argument;
  int rank, round, done;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (round = 0; round < ROUNDS; round++) {
    int value = 10000 * w->number + 1000 * rank + 10 * round;
    MPI_Comm whole, reversed;
    MPI_Request request;
    usleep((unsigned)(rank * 3 + w->number * 5 + round * 7) % 4 * 300);
    if (round % 3 == 2) {
      MPI_Comm_idup(w->parent, &whole, &request);
      for (done = 0; !done;)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    } else {
      MPI_Comm_dup(w->parent, &whole);
    }
    MPI_Comm_split(whole, 0, -rank, &reversed);
    w->h = shift(w->h, whole, value);
    w->h = shift(w->h, reversed, value + 3);
    w->h = shift(w->h, twins[w->number], value + 6);
    if (round % 2)
      MPI_Comm_free(&whole);
    MPI_Comm_free(&reversed);
    if (round % 2 == 0)
      MPI_Comm_free(&whole);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided, i;
  pthread_t threads[THREADS];
  hash_t h = HASH_START;

  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_create_keyval(copy_twin, delete_twin, &twin_key, NULL);
  for (i = 0; i < THREADS; i++) {
    works[i].number = i;
    works[i].h = HASH_START;
    MPI_Comm_dup(MPI_COMM_WORLD, &works[i].parent);
    MPI_Comm_dup(MPI_COMM_WORLD, &works[i].plain);
    MPI_Comm_set_attr(works[i].parent, twin_key, (void *)(intptr_t)i);
  }
  if (provided == MPI_THREAD_MULTIPLE) {
    for (i = 0; i < THREADS; i++)
      pthread_create(&threads[i], NULL, make, &works[i]);
    for (i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
  } else {
    for (i = 0; i < THREADS; i++)
      make(&works[i]);
  }
  for (i = 0; i < THREADS; i++) {
    MPI_Comm_free(&works[i].parent);
    MPI_Comm_free(&works[i].plain);
    h = hash_number(h, (long long)works[i].h);
  }
  report("communicators and threads", h);
  MPI_Finalize();
  return 0;
}
