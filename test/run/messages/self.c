// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages to oneself, send first or receive first, several on the way at once, on MPI_COMM_WORLD and MPI_COMM_SELF.
//
// RUN: %run-both %s --work %t --ranks 2
// RUN: %run-both %s --work %t.1 --ranks 1
#include "report.h"

enum { MAX = 30000, MANY = 9 };

int main(int argc, char **argv) {
  static const int lengths[] = {0, 1, 100, MAX};
  static int in[MAX], out[MAX], few_in[MANY][3], few_out[MANY][3];
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
  report("self", h);
  MPI_Finalize();
  return 0;
}
