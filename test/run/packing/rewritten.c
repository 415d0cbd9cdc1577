// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that the tool has packed where they are received: by an index and by an argument, before and after the
// receive is posted, of lengths that change, none among them, for wildcards, to oneself, blocking, and by functions
// that are also called where nothing is sent. Buffers that are looked at, or sent again, are not among them.
//
// RUN: env MPISHM_PLACE=0 %run-both %s --packs 5 --work %t
#include "report.h"

#include <stdlib.h>

enum { FACES = 3, MOST = 24, STEPS = 9 };
static unsigned short n; // never negative
static int left, right;
static double *out[FACES], *in[FACES], *own, *field;
static float *floats, *floats_in;
static int looked_at[MOST * MOST], looked_at_in[MOST * MOST];
static MPI_Comm comm;
static hash_t hash = HASH_START;
static int rank;

static void pack(int f) {
  const double *from = field + f;
  double *to = out[f];
  for (int j = 1; j <= n; j++)
    for (int i = 0; i < n; i++)
      *to++ = from[j * MOST + i];
}

static double scaled(const double *from, int i) { return from[i] * 0.5; }

static void pack_floats(float *to, const double *from, int count) {
  int k = 0;
  for (int i = 0; i < count; i++)
    to[k++] = (float)scaled(from, i);
}

static void pack_own(double *to, int rows) {
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < n; i++)
      to[j * n + i] = field[i * MOST + j];
}

static void pack_looked_at(void) {
  for (int i = 0; i < n; i++)
    looked_at[i] = (int)field[i] + i;
}

static void faces(int early) {
  MPI_Request requests[2 * FACES];
  MPI_Status statuses[2 * FACES];
  int count = n * n;
  for (int f = 0; f < FACES && early; f++)
    MPI_Irecv(in[f], MOST * MOST, MPI_DOUBLE, f == 1 ? MPI_ANY_SOURCE : left, f, comm, &requests[f]);
  if (early)
    MPI_Barrier(comm);
  for (int f = 0; f < FACES; f++) {
    pack(f);
    MPI_Isend(out[f], count, MPI_DOUBLE, right, f, comm, &requests[FACES + f]);
  }
  for (int f = 0; f < FACES && !early; f++)
    MPI_Irecv(in[f], MOST * MOST, MPI_DOUBLE, left, f, comm, &requests[f]);
  MPI_Waitall(2 * FACES, requests, statuses);
  for (int f = 0; f < FACES; f++) {
    int got = 0;
    MPI_Get_count(&statuses[f], MPI_DOUBLE, &got);
    hash = hash_number(hash, got);
    hash = hash_bytes(hash, in[f], got * sizeof(double));
  }
}

static void others(int step) {
  MPI_Request requests[2];
  MPI_Irecv(floats_in, MOST * MOST, MPI_FLOAT, left, 10, comm, &requests[0]);
  MPI_Irecv(in[0], MOST * MOST, MPI_DOUBLE, rank, 11, comm, &requests[1]);
  MPI_Barrier(comm);
  pack_floats(floats, field, n);
  MPI_Send(floats, n, MPI_FLOAT, right, 10, comm);
  pack_own(own, n + 2);
  MPI_Send(own, (2 + n) * n, MPI_DOUBLE, rank, 11, comm);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  hash = hash_bytes(hash, floats_in, n * sizeof(float));
  hash = hash_bytes(hash, in[0], (n + 2) * n * sizeof(double));
  pack(step % FACES); /* and nothing is sent */

  MPI_Irecv(looked_at_in, MOST, MPI_INT, left, 12, comm, &requests[0]);
  pack_looked_at();
  MPI_Send(looked_at, n, MPI_INT, right, 12, comm);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  hash = hash_bytes(hash, looked_at_in, n * sizeof(int));
  hash = hash_bytes(hash, looked_at, n * sizeof(int));
}

/* One by itself, in a block of its own. */
static void last(void) {
  MPI_Request request;
  MPI_Irecv(in[1], n, MPI_DOUBLE, left, 20, comm, &request);
  if (n > 0) {
    double *to = out[2];
    pack_own(to, 1);
    MPI_Send(to, 1 * n, MPI_DOUBLE, right, 20, comm);
  } else {
    pack_own(own, 1);
    MPI_Send(own, n, MPI_DOUBLE, right, 20, comm);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash = hash_bytes(hash, in[1], n * sizeof(double));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  for (int f = 0; f < FACES; f++) {
    out[f] = malloc(MOST * MOST * sizeof(double));
    in[f] = malloc(MOST * MOST * sizeof(double));
  }
  own = malloc(MOST * MOST * sizeof(double));
  floats = malloc(MOST * MOST * sizeof(float));
  floats_in = malloc(MOST * MOST * sizeof(float));
  field = malloc((MOST + 2) * MOST * sizeof(double));
  for (int step = 0; step < STEPS; step++) {
    n = (step * 7 + 3) % 11;
    for (int i = 0; i < (MOST + 2) * MOST; i++)
      field[i] = rank + 100.0 * step + i;
    faces(step % 2);
    others(step);
    last();
  }
  for (int f = 0; f < FACES; f++) {
    free(out[f]);
    free(in[f]);
  }
  free(own);
  free(floats);
  free(floats_in);
  free(field);
  MPI_Comm_free(&comm);
  report("all", hash);
  MPI_Finalize();
  return 0;
}
