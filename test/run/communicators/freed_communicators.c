// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator that is freed while messages and persistent requests still need it: wildcards, which MPI has to look
// for too, exact receives, sends; started and started again afterwards. What fails then goes to the handler that the
// communicator had.
//
// RUN: %run-both %s --work %t --cancels
#include "report.h"

enum { MAX = 20000 };

static double in[3 * MAX], out[MAX];
static int rank, size, called;

static hash_t check(hash_t h, MPI_Status *s) {
  h = hash_bytes(hash_status(h, s, MPI_DOUBLE), in, sizeof in);
  memset(in, 0x3c, sizeof in);
  return h;
}

/* Both sides start requests of a communicator that is gone. */
static hash_t persistent(hash_t h, int n, int distance, int wildcard) {
  int from = (rank + size - distance) % size, to = (rank + distance) % size, step;
  MPI_Comm twin, next;
  MPI_Datatype type;
  MPI_Request r, s;
  MPI_Status status;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Type_vector(n, 1, 3, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Recv_init(in, 1, type, wildcard ? MPI_ANY_SOURCE : from, wildcard ? MPI_ANY_TAG : 1, twin, &r);
  MPI_Send_init(out, n, MPI_DOUBLE, to, 1, twin, &s);
  MPI_Comm_free(&twin);
  MPI_Type_free(&type);
  MPI_Comm_dup(MPI_COMM_WORLD, &next); /* may get the handle */
  for (step = 0; step < 3; step++) {
    fill_bytes(out, sizeof out, rank + step);
    if (step == 1) {
      MPI_Start(&r);
      MPI_Cancel(&r);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(next);
    MPI_Start(&r);
    MPI_Start(&s);
    MPI_Wait(&r, &status);
    MPI_Wait(&s, MPI_STATUS_IGNORE);
    h = check(h, &status);
  }
  MPI_Request_free(&r);
  MPI_Request_free(&s);
  MPI_Comm_free(&next);
  return h;
}

/* Freed after the receives were posted, and before the messages come. */
static hash_t under_way(hash_t h, int n, int distance) {
  int to = (rank + distance) % size, from = (rank + size - distance) % size, token = -1;
  MPI_Comm twin;
  MPI_Request r[4];
  MPI_Status s[4];
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Send_init(out, n, MPI_DOUBLE, to, 1, twin, &r[2]);
  MPI_Send_init(&rank, 1, MPI_INT, to, 1, twin, &r[3]);
  MPI_Irecv(in, n, MPI_DOUBLE, MPI_ANY_SOURCE, 1, twin, &r[0]);
  MPI_Irecv(&token, 1, MPI_INT, from, 1, twin, &r[1]);
  MPI_Comm_free(&twin);
  fill_bytes(out, sizeof out, rank + distance);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Start(&r[2]);
  MPI_Start(&r[3]);
  MPI_Waitall(4, r, s);
  h = check(hash_number(h, token), &s[0]);
  MPI_Request_free(&r[2]);
  MPI_Request_free(&r[3]);
  return h;
}

static void on_error(MPI_Comm *comm, int *error, ...) {
  int length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_string(*error, text, &length);
  called += comm && length > 0;
}

/* A message that is too long for its receive. */
static hash_t fails(hash_t h, int n, MPI_Errhandler handler) {
  int error, class = MPI_SUCCESS, kind;
  for (kind = 0; kind < 3; kind++) {
    MPI_Comm twin;
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status s;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler); /* which the twin inherits */
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    called = 0;
    if (rank == 0)
      MPI_Send(out, n, MPI_DOUBLE, 1, 3, twin);
    if (rank == 1 && kind == 0)
      MPI_Irecv(in, n / 2, MPI_DOUBLE, 0, 3, twin, &r);
    if (rank == 1 && kind)
      MPI_Recv_init(in, n / 2, MPI_DOUBLE, 0, 3, twin, &r);
    if (rank == 1 && kind == 1)
      MPI_Start(&r);
    MPI_Comm_free(&twin);
    if (rank == 1 && kind == 2)
      MPI_Start(&r);
    if (rank == 1) {
      error = MPI_Wait(&r, &s);
      if (error != MPI_SUCCESS)
        MPI_Error_class(error, &class);
      h = hash_number(h, called ? called : -(class == MPI_ERR_TRUNCATE)); /* MPICH 5 returns success when it has called a function */
      h = hash_number(hash_number(h, s.MPI_SOURCE), s.MPI_TAG);
      if (kind)
        MPI_Request_free(&r);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  memset(in, 0x3c, sizeof in);
  return h;
}

int main(int argc, char **argv) {
  int n, distance;
  hash_t h = HASH_START;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  memset(in, 0x3c, sizeof in);
  for (n = 5; n <= MAX; n += MAX - 5)
    for (distance = 0; distance < size; distance++) {
      h = persistent(h, n, distance, 0);
      h = persistent(h, n, distance, 1);
      h = under_way(h, n, distance);
    }
  h = fails(h, 10, MPI_ERRORS_RETURN);
  h = fails(h, 10000, MPI_ERRORS_RETURN);
  MPI_Comm_create_errhandler(on_error, &handler);
  h = fails(h, 10, handler);
  MPI_Errhandler_free(&handler);
  report("freed communicators", h);
  MPI_Finalize();
  return 0;
}
