// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends and receives are cancelled by one function. No MPI library cancels a send: it is received all the same, and its
// status says so.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { LENGTH = 60000 };

static hash_t cancel(MPI_Request *r, hash_t h) {
  MPI_Status s;
  int flag = -1;
  MPI_Cancel(r);
  MPI_Wait(r, &s);
  MPI_Test_cancelled(&s, &flag);
  return hash_number(h, flag);
}

int main(int argc, char **argv) {
  static const int lengths[] = {0, 1, 1000, LENGTH};
  static int in[LENGTH], out[LENGTH]; // mpishm: keep
  int rank, size, k, n, after, before;
  MPI_Request send, receive;
  MPI_Status s;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  after = (rank + 1) % size;
  before = (rank + size - 1) % size;
  for (k = 0; k < 8; k++) {
    n = lengths[k % 4];
    fill_bytes(out, sizeof out, rank + k);
    if (k < 4) {
      MPI_Isend(out, n, MPI_INT, after, k, MPI_COMM_WORLD, &send);
    } else {
      MPI_Send_init(out, n, MPI_INT, after, k, MPI_COMM_WORLD, &send);
      MPI_Start(&send);
    }
    MPI_Irecv(in, LENGTH, MPI_INT, before, k, MPI_COMM_WORLD, &receive);
    h = cancel(&send, h);
    MPI_Wait(&receive, &s);
    h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof(int));
    if (k >= 4)
      MPI_Request_free(&send);
    MPI_Irecv(in, LENGTH, MPI_INT, after, 100, MPI_COMM_WORLD, &receive);
    h = cancel(&receive, h);
  }
  report("cancelled sends", h);
  MPI_Finalize();
  return 0;
}
