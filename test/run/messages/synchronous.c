// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronous sends complete only when they are matched, empty ones of a scattered datatype too; ready sends may rely on
// a receive that was posted.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"

int main(int argc, char **argv) {
  static const int lengths[] = {0, 1, 100, 50000};
  static int in[50000], out[50000]; // mpishm: keep
  int rank, k, flag, other;
  MPI_Request r;
  MPI_Status s;
  hash_t h = HASH_START;
  MPI_Datatype column;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Type_vector(2, 1, 2, MPI_INT, &column);
  MPI_Type_commit(&column);
  for (k = 0; k < 4; k++) {
    int n = lengths[k];
    MPI_Datatype type = n ? MPI_INT : column;
    fill_bytes(out, sizeof out, rank + k);
    if (rank == 0) {
      MPI_Issend(out, n, type, other, 1, MPI_COMM_WORLD, &r);
      MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
      printf("%d integers: complete before the receive is posted: %d\n", n, flag);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
      MPI_Ssend(out, n, type, other, 1, MPI_COMM_WORLD);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Rsend(out, n, MPI_INT, other, 3, MPI_COMM_WORLD);
      MPI_Irsend(out, n, MPI_INT, other, 4, MPI_COMM_WORLD, &r);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
      MPI_Request two[2];
      static int more[50000]; // mpishm: keep
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Recv(in, n, MPI_INT, other, 1, MPI_COMM_WORLD, &s);
      h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof(int));
      MPI_Recv(in, n, MPI_INT, other, 1, MPI_COMM_WORLD, &s);
      h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof(int));
      MPI_Irecv(in, n, MPI_INT, other, 3, MPI_COMM_WORLD, &two[0]);
      MPI_Irecv(more, n, MPI_INT, other, 4, MPI_COMM_WORLD, &two[1]);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
      h = hash_bytes(hash_bytes(h, in, n * sizeof(int)), more, n * sizeof(int));
    }
  }
  MPI_Type_free(&column);
  report("synchronous", h);
  MPI_Finalize();
  return 0;
}
