// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles in the tables, trees and heaps that the C library has, and handed to what it calls later. Each way is an
// exchange with a tag of its own. What comes out of them may be any handle, and stays MPI's.
//
// RUN: %run-both %s --flags "-O1 -D_GNU_SOURCE" --leaves Irecv,Send,Wait,Waitall,Sendrecv \
// RUN: --work %t
#include "report.h"
#include <aio.h>
#include <mpi.h>
#include <obstack.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static int rank, left, right;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

struct element {
  int key;
  MPI_Request request;
};

static void wait_for(const void *node, VISIT when, int depth) {
  (void)depth;
  if (when == postorder || when == leaf)
    MPI_Wait(&(*(struct element *const *)node)->request, MPI_STATUS_IGNORE);
}

/// Requests in a tree, found by their first member.
static int in_tree(MPI_Comm comm) {
  struct element entries[2] = {{7, MPI_REQUEST_NULL}, {3, MPI_REQUEST_NULL}};
  void *root = NULL;
  int in = -1;
  for (int i = 0; i < 2; ++i)
    tsearch(&entries[i], &root, compare);
  int key = 3;
  struct element *found = *(struct element **)tfind(&key, &root, compare);
  MPI_Irecv(&in, 1, MPI_INT, left, 3, comm, &found->request);
  MPI_Send(&rank, 1, MPI_INT, right, 3, comm);
  twalk(root, wait_for);
  for (int i = 0; i < 2; ++i)
    tdelete(&entries[i], &root, compare);
  return in;
}

/// In a table, by name.
static int in_table(MPI_Comm comm) {
  static MPI_Request request;
  int in = -1;
  hcreate(4);
  ENTRY entry = {"first", &request};
  hsearch(entry, ENTER);
  MPI_Irecv(&in, 1, MPI_INT, left, 4, comm, &request);
  MPI_Send(&rank, 1, MPI_INT, right, 4, comm);
  ENTRY wanted = {"first", NULL}, *found = hsearch(wanted, FIND);
  MPI_Wait(found->data, MPI_STATUS_IGNORE);
  hdestroy();
  return in;
}

/// In memory that grows. (The macros of glibc add to null pointers.)
__attribute__((no_sanitize("undefined"))) static int in_obstack(MPI_Comm comm) {
  struct obstack stack;
  int in[2] = {-1, -1};
  obstack_init(&stack);
  MPI_Request *requests = obstack_alloc(&stack, 2 * sizeof *requests);
  for (int i = 0; i < 2; ++i)
    MPI_Irecv(&in[i], 1, MPI_INT, left, 5, comm, &requests[i]);
  obstack_grow(&stack, &requests[0], sizeof *requests);
  obstack_grow(&stack, &requests[1], sizeof *requests);
  MPI_Request *copies = obstack_finish(&stack);
  for (int i = 0; i < 2; ++i)
    MPI_Send(&rank, 1, MPI_INT, right, 5, comm);
  MPI_Waitall(2, copies, MPI_STATUSES_IGNORE);
  obstack_free(&stack, NULL);
  return in[0] + in[1];
}

/// Through a file, as the library reads and writes it later.
static int through_file(MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL, again = MPI_REQUEST_NULL;
  int in = -1, ends[2];
  MPI_Irecv(&in, 1, MPI_INT, left, 6, comm, &request);
  MPI_Send(&rank, 1, MPI_INT, right, 6, comm);
  if (pipe(ends) != 0)
    return -1;
  struct aiocb out = {.aio_fildes = ends[1], .aio_buf = &request, .aio_nbytes = sizeof request};
  struct aiocb back = {.aio_fildes = ends[0], .aio_buf = &again, .aio_nbytes = sizeof again};
  const struct aiocb *const both[2] = {&out, &back};
  aio_write(&out);
  aio_read(&back);
  for (int i = 0; i < 2; ++i) {
    while (aio_error(both[i]) != 0)
      aio_suspend(&both[i], 1, NULL);
    aio_return(i == 0 ? &out : &back);
  }
  MPI_Wait(&again, MPI_STATUS_IGNORE);
  close(ends[0]);
  close(ends[1]);
  return in;
}

static volatile sig_atomic_t ticked;
static MPI_Comm kept;
static void tick(union sigval value) {
  kept = *(MPI_Comm *)value.sival_ptr;
  ticked = 1;
}

/// Out of a function that a timer calls.
static int by_timer(MPI_Comm comm) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = tick, .sigev_value.sival_ptr = &comm};
  struct itimerspec when = {.it_value.tv_nsec = 1000}, before;
  timer_t timer;
  int in = -1;
  if (timer_create(CLOCK_REALTIME, &event, &timer) != 0)
    return -1;
  timer_settime(timer, 0, &when, &before);
  while (!ticked)
    usleep(100);
  timer_delete(timer);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 7, &in, 1, MPI_INT, left, 7, kept, MPI_STATUS_IGNORE);
  return in;
}

int main(int argc, char **argv) {
  int size;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  hash_t hash = hash_number(HASH_START, in_tree(comm));
  hash = hash_number(hash, in_table(comm));
  hash = hash_number(hash, in_obstack(comm));
  hash = hash_number(hash, through_file(comm));
  int in = -1;
  MPI_Comm other;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE);
  hash = hash_number(hash, in);
  MPI_Comm_dup(comm, &other);
  hash = hash_number(hash, by_timer(other));
  MPI_Comm_free(&other);
  report("handles in tables", hash);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
