// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that loops pack in the function that sends them, and that the tool has packed where they are received: by an
// index, a running one, a pointer of their own; several in one block, in branches, of lengths that change, none among
// them, to oneself, blocking, before and after the receive is posted. Those that are read, or of which something else
// is done in the loops, are not among them.
//
// RUN: env MPISHM_PLACE=0 %run-both %s --packs 6 --work %t
#include "report.h"

#include <stdlib.h>

enum { FACES = 3, MOST = 24, STEPS = 9 };
struct halo {
  unsigned short n; // never negative
  double *out[FACES], *in[FACES];
};
static struct halo h;
static int left, right, rank, counted;
static double *own, *field, table[2][MOST * MOST], other[MOST]; // mpishm: keep
static float floats[MOST * MOST], *floats_in;
static MPI_Comm comm;
static hash_t hash = HASH_START;

static double scaled(const double *from, int i) {
  double x = from[i];
  return x * 0.5;
}

static void take(const double *from, int count) { hash = hash_bytes(hash, from, count * sizeof(double)); }

static void faces(int early, const double *from) {
  MPI_Request requests[2 * FACES];
  int k = 7;
  for (int f = 0; f < FACES && early; f++)
    MPI_Irecv(h.in[f], MOST * MOST, MPI_DOUBLE, left, f, comm, &requests[f]);
  if (early)
    MPI_Barrier(comm);
  for (int f = 0; f < FACES; f++) {
    if (f == 0) {
      for (int j = 0; j < h.n; j++)
        for (int i = 1; i <= h.n; i++) {
          double x = from[j * MOST + i];
          if (x > 50)
            x -= 50;
          *(h.out[f] + (j * h.n + i - 1)) = x;
        }
      MPI_Isend(h.out[f], h.n * h.n, MPI_DOUBLE, right, f, comm, &requests[FACES + f]);
    } else if (f == 1) {
      double *to = h.out[f];
      const unsigned short n = h.n;
      for (int j = 0; j < 2; j++)
        for (int i = 0; i < n; i++)
          *to++ = scaled(from, j + i);
      MPI_Isend(h.out[f], 2 * n, MPI_DOUBLE, right, f, comm, &requests[FACES + f]);
    } else {
      k = 0;
      for (int i = 0; i < h.n; i++, from += 2)
        h.out[f][k++] = *from;
      MPI_Isend(h.out[f], h.n, MPI_DOUBLE, right, f, comm, &requests[FACES + f]);
    }
  }
  for (int f = 0; f < FACES && !early; f++)
    MPI_Irecv(h.in[f], MOST * MOST, MPI_DOUBLE, left, f, comm, &requests[f]);
  MPI_Waitall(2 * FACES, requests, MPI_STATUSES_IGNORE);
  take(h.in[0], h.n * h.n);
  take(h.in[1], 2 * h.n);
  take(h.in[2], h.n);
  hash = hash_number(hash, k);
}

/* Two in one block, of one buffer, the second longer than the first; arrays; and to this rank itself. */
static void others(int i) {
  MPI_Request requests[3];
  int n = h.n;
  MPI_Irecv(h.in[0], MOST, MPI_DOUBLE, left, 10, comm, &requests[0]);
  MPI_Irecv(h.in[1], MOST, MPI_DOUBLE, left, 10, comm, &requests[1]);
  MPI_Irecv(floats_in, MOST, MPI_FLOAT, rank, 11, comm, &requests[2]);
  MPI_Barrier(comm);
  for (i = 0; i < n; i++)
    table[1][i] = field[i];
  MPI_Send(table[1], n, MPI_DOUBLE, right, 10, comm);
  n += 2;
  for (i = 0; i < n; ++i)
    table[1][i] = field[i + 1];
  MPI_Send(&table[1][0], n, MPI_DOUBLE, right, 10, comm);
  hash = hash_number(hash, i);
  for (int k = 0, j = 2; j < 5; j++)
    for (i = 0; i < h.n; i++)
      floats[k++] = (float)field[i];
  MPI_Send(floats, 3 * h.n, MPI_FLOAT, rank, 11, comm);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  take(h.in[0], n - 2);
  take(h.in[1], n);
  hash = hash_bytes(hash, floats_in, 3 * h.n * sizeof(float));
}

/* None of these is packed there. */
static void copied(void) {
  MPI_Request request;
  MPI_Irecv(h.in[0], MOST, MPI_DOUBLE, left, 20, comm, &request);
  for (int i = 0; i < h.n; i++)
    own[i] = field[i] + counted++;
  MPI_Send(own, h.n, MPI_DOUBLE, right, 20, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(h.in[0], MOST, MPI_DOUBLE, left, 21, comm, &request);
  for (int i = 0; i < h.n; i++)
    other[i] = field[i];
  MPI_Send(other + 1, h.n, MPI_DOUBLE, right, 21, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  take(h.in[0], h.n);
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
    h.out[f] = malloc(MOST * MOST * sizeof(double));
    h.in[f] = malloc(MOST * MOST * sizeof(double));
  }
  own = calloc(MOST * MOST, sizeof(double));
  floats_in = malloc(MOST * MOST * sizeof(float));
  field = malloc((MOST + 2) * MOST * sizeof(double));
  for (int step = 0; step < STEPS; step++) {
    h.n = (step * 7 + 3) % 8;
    for (int i = 0; i < (MOST + 2) * MOST; i++)
      field[i] = rank + 10.0 * step + i;
    faces(step % 2, field);
    others(step);
    copied();
  }
  for (int f = 0; f < FACES; f++) {
    free(h.out[f]);
    free(h.in[f]);
  }
  free(own);
  free(floats_in);
  free(field);
  MPI_Comm_free(&comm);
  report("all", hash_number(hash, counted));
  MPI_Finalize();
  return 0;
}
