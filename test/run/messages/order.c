// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages with one envelope arrive in the order they were sent, whatever their sizes, modes and the order of completion.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { MESSAGES = 12, MAX = 40000 };

int main(int argc, char **argv) {
  static const int lengths[] = {1, MAX, 20, 5000, 0, 3, MAX, 700, 2, 16, 9000, 1};
  static int in[MESSAGES][MAX], out[MESSAGES][MAX]; // mpishm: keep
  int rank, size, i, step;
  MPI_Request sends[MESSAGES], receives[MESSAGES];
  MPI_Status s;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0; step < 3; step++) {
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    if (step == 0)
      for (i = 0; i < MESSAGES; i++)
        MPI_Irecv(in[i], MAX, MPI_INT, from, 4, MPI_COMM_WORLD, &receives[i]);
    for (i = 0; i < MESSAGES; i++) {
      fill_bytes(out[i], lengths[i] * sizeof(int), rank * 100 + step * 20 + i);
      if (lengths[i] < 100 && i % 2 == 1) {
        sends[i] = MPI_REQUEST_NULL;
        MPI_Send(out[i], lengths[i], MPI_INT, to, 4, MPI_COMM_WORLD);
      } else {
        MPI_Isend(out[i], lengths[i], MPI_INT, to, 4, MPI_COMM_WORLD, &sends[i]);
      }
    }
    if (step > 0)
      for (i = 0; i < MESSAGES; i++)
        MPI_Irecv(in[i], MAX, MPI_INT, from, 4, MPI_COMM_WORLD, &receives[i]);
    for (i = MESSAGES - 1; i >= 0; i--) { /* the last first */
      MPI_Wait(&receives[i], &s);
      h = hash_bytes(hash_status(h, &s, MPI_INT), in[i], lengths[i] * sizeof(int));
    }
    MPI_Waitall(MESSAGES, sends, MPI_STATUSES_IGNORE);
  }
  report("order", h);
  MPI_Finalize();
  return 0;
}
