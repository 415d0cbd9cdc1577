// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent requests are started again after all that may have become of their last start, and of others' messages
// meanwhile: one message of many, kept, too long, cancelled, behind a receive from any source, with one of MPI_PROC_NULL
// among them, freed while it is on its way.
//
// RUN: %run-both %s --work %t --cancels
#include "report.h"

enum { KINDS = 7, LARGE = 100000 };
static const int sizes[KINDS] = {4, 48, 49, 1000, 5000, 20000, LARGE};
static char in[KINDS][LARGE], out[KINDS][LARGE];
static MPI_Request receives[KINDS], sends[KINDS];
static int rank, before, after;

static hash_t finish(hash_t h, int kind) {
  MPI_Status s[2];
  MPI_Wait(&receives[kind], &s[0]);
  MPI_Wait(&sends[kind], &s[1]);
  return hash_bytes(hash_status(h, &s[0], MPI_CHAR), in[kind], (size_t)sizes[kind]);
}

static hash_t once(hash_t h, int kind, int step) {
  fill_bytes(out[kind], (size_t)sizes[kind], rank + step);
  MPI_Start(&receives[kind]);
  MPI_Start(&sends[kind]);
  return finish(h, kind);
}

/* A message that nobody has asked for yet has come before. */
static hash_t with_a_kept_one(hash_t h, int kind) {
  int early = rank, got = -1;
  MPI_Request r;
  MPI_Isend(&early, 1, MPI_INT, after, 50, MPI_COMM_WORLD, &r);
  h = once(h, kind, 10);
  h = once(h, kind, 11);
  MPI_Recv(&got, 1, MPI_INT, before, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return hash_bytes(once(h, kind, 12), &got, sizeof got);
}

/* A receive from any source, posted before, with a tag of its own. */
static hash_t with_any_source(hash_t h, int kind) {
  int value = rank, got = -1;
  MPI_Request r;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 51, MPI_COMM_WORLD, &r);
  h = once(h, kind, 20);
  MPI_Send(&value, 1, MPI_INT, after, 51, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return hash_bytes(once(h, kind, 21), &got, sizeof got);
}

static hash_t too_long(hash_t h, int kind) {
  int class = -1;
  MPI_Request r;
  MPI_Start(&receives[kind]);
  MPI_Isend(out[KINDS - 1], sizes[kind] + 8, MPI_CHAR, after, kind, MPI_COMM_WORLD, &r);
  MPI_Error_class(MPI_Wait(&receives[kind], MPI_STATUS_IGNORE), &class);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  h += class == MPI_ERR_TRUNCATE;
  return once(h, kind, 30);
}

static hash_t cancelled(hash_t h, int kind) {
  int is_cancelled = 0;
  MPI_Status s;
  MPI_Start(&receives[kind]);
  MPI_Cancel(&receives[kind]);
  MPI_Wait(&receives[kind], &s);
  MPI_Test_cancelled(&s, &is_cancelled);
  MPI_Barrier(MPI_COMM_WORLD);
  h += is_cancelled;
  return once(h, kind, 40);
}

static hash_t all_at_once(hash_t h) {
  MPI_Request all[2 * KINDS + 1];
  MPI_Status statuses[2 * KINDS + 1];
  int k, step, nothing = 0;
  MPI_Recv_init(&nothing, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &all[KINDS]);
  for (k = 0; k < KINDS; k++) {
    all[k] = receives[k];
    all[KINDS + 1 + k] = sends[k];
  }
  for (step = 0; step < 3; step++) {
    for (k = 0; k < KINDS; k++)
      fill_bytes(out[k], (size_t)sizes[k], rank + step + 50);
    MPI_Startall(2 * KINDS + 1, all);
    MPI_Waitall(2 * KINDS + 1, all, statuses);
    for (k = 0; k < KINDS; k++)
      h = hash_bytes(hash_status(h, &statuses[k], MPI_CHAR), in[k], (size_t)sizes[k]);
  }
  MPI_Request_free(&all[KINDS]);
  return h;
}

/* The send is freed while it is on its way: MPICH 5 now and then keeps a reference then, and says so. */
static hash_t freed(hash_t h, int kind) {
  MPI_Status s;
  fill_bytes(out[kind], (size_t)sizes[kind], rank + 60);
  MPI_Start(&receives[kind]);
  MPI_Start(&sends[kind]);
  MPI_Request_free(&sends[kind]);
  MPI_Wait(&receives[kind], &s);
  MPI_Request_free(&receives[kind]);
  MPI_Barrier(MPI_COMM_WORLD);
  return hash_bytes(hash_status(h, &s, MPI_CHAR), in[kind], (size_t)sizes[kind]);
}

int main(int argc, char **argv) {
  int k, step, size;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  before = (rank + size - 1) % size;
  after = (rank + 1) % size;
  for (k = 0; k < KINDS; k++) {
    MPI_Recv_init(in[k], sizes[k], MPI_CHAR, before, k, MPI_COMM_WORLD, &receives[k]);
    MPI_Send_init(out[k], sizes[k], MPI_CHAR, after, k, MPI_COMM_WORLD, &sends[k]);
  }
  for (k = 0; k < KINDS; k++) {
    for (step = 0; step < 3; step++)
      h = once(h, k, step);
    h = with_a_kept_one(h, k);
    h = with_any_source(h, k);
    if (k < KINDS - 1)
      h = too_long(h, k);
    h = cancelled(h, k);
  }
  h = all_at_once(h);
  for (k = 0; k < KINDS; k++)
    h = freed(h, k);
  report("persistent again", h);
  MPI_Finalize();
  return 0;
}
