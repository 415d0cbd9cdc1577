// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages to oneself, send first or receive first, several on the way at once, on MPI_COMM_WORLD and MPI_COMM_SELF.
// Large ones are copied by the send where the receive is posted: of one tag in order, into scattered memory and out of
// it, synchronous, for wildcards.
//
// RUN: %run-both %s --work %t --ranks 2
// RUN: %run-both %s --work %t --again --ranks 1
#include "report.h"
#include <string.h>

enum { MAX = 30000, MANY = 9, LARGE = 5 };

static int large_in[LARGE][2 * MAX], large_out[LARGE][2 * MAX]; // mpishm: keep

/* Of one tag, to a receive each: plain, scattered, from any source, and one that is posted afterwards. */
static hash_t large(hash_t h, int rank, int scattered, int synchronous) {
  MPI_Request r[2 * LARGE];
  MPI_Status s[2 * LARGE];
  MPI_Datatype type, plain = MPI_INT, rows;
  int k, n = MAX;

  MPI_Type_vector(MAX / 10, 10, 20, MPI_INT, &rows);
  MPI_Type_commit(&rows);
  memset(large_in, 0, sizeof large_in);
  fill_bytes(large_out, sizeof large_out, rank + 2 * scattered + synchronous);
  for (k = 0; k < LARGE - 1; k++)
    MPI_Irecv(large_in[k], k % 2 ? 1 : n, k % 2 ? rows : plain, k % 3 == 2 ? MPI_ANY_SOURCE : rank, 4, MPI_COMM_WORLD,
              &r[k]);
  for (k = 0; k < LARGE; k++) {
    type = scattered ? rows : plain;
    if (synchronous)
      MPI_Issend(large_out[k], scattered ? 1 : n, type, rank, 4, MPI_COMM_WORLD, &r[LARGE + k]);
    else
      MPI_Isend(large_out[k], scattered ? 1 : n, type, rank, 4, MPI_COMM_WORLD, &r[LARGE + k]);
  }
  MPI_Irecv(large_in[LARGE - 1], n, plain, rank, 4, MPI_COMM_WORLD, &r[LARGE - 1]);
  MPI_Waitall(2 * LARGE, r, s);
  for (k = 0; k < LARGE; k++)
    h = hash_status(h, &s[k], MPI_INT);
  MPI_Type_free(&rows);
  return hash_bytes(h, large_in, sizeof large_in);
}

int main(int argc, char **argv) {
  static const int lengths[] = {0, 1, 100, MAX};
  static int in[MAX], out[MAX], few_in[MANY][3], few_out[MANY][3]; // mpishm: keep
  int rank, k, i;
  MPI_Request r[2 * MANY];
  MPI_Status s;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (k = 0; k < 4; k++) {
    int n = lengths[k];
    fill_bytes(out, sizeof out, rank + k);
    MPI_Isend(out, n, MPI_INT, rank, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Recv(in, MAX, MPI_INT, rank, 1, MPI_COMM_WORLD, &s);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof(int));

    fill_bytes(out, sizeof out, rank + k + 50);
    MPI_Irecv(in, MAX, MPI_INT, rank, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Send(out, n, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Wait(&r[0], &s);
    h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof(int));

    fill_bytes(out, sizeof out, rank + k + 99);
    MPI_Irecv(in, MAX, MPI_INT, 0, 2, MPI_COMM_SELF, &r[0]);
    MPI_Isend(out, n, MPI_INT, 0, 2, MPI_COMM_SELF, &r[1]);
    MPI_Wait(&r[0], &s);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof(int));
  }
  for (i = 0; i < MANY; i++) { /* one tag: they must arrive in the order they were sent */
    fill_bytes(few_out[i], sizeof few_out[i], i);
    MPI_Isend(few_out[i], 3, MPI_INT, rank, 3, MPI_COMM_WORLD, &r[i]);
  }
  for (i = 0; i < MANY; i++)
    MPI_Irecv(few_in[i], 3, MPI_INT, rank, 3, MPI_COMM_WORLD, &r[MANY + i]);
  MPI_Waitall(2 * MANY, r, MPI_STATUSES_IGNORE);
  h = hash_bytes(h, few_in, sizeof few_in);
  for (k = 0; k < 4; k++)
    h = large(h, rank, k % 2, k / 2);
  report("self", h);
  MPI_Finalize();
  return 0;
}
