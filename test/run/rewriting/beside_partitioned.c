// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partitioned communication stays MPI's, and what may have its tag does not: each matches its own kind alone. Both are
// in one list of requests, started together, and a receive takes any message.
//
// RUN: %run-both %s --work %t --leaves Psend_init,Precv_init,Pready,Pready_range,Parrived
#include "report.h"

enum { PARTS = 4, LENGTH = 300, STEPS = 3 };

static int rank, size;
static double parts_out[PARTS * LENGTH], parts_in[PARTS * LENGTH];

static void make_ready(MPI_Request *request, int step) {
  for (int i = 0; i < PARTS * LENGTH; i++)
    parts_out[i] = rank * 1000 + i + step;
  MPI_Pready(PARTS - 1, *request);
  MPI_Pready_range(0, PARTS - 2, *request);
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Request r[4];
  int out[2], in[2] = {-1, -1}, tag = argc + 2;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int before = (rank + size - 1) % size, after = (rank + 1) % size;
  MPI_Psend_init(parts_out, PARTS, LENGTH, MPI_DOUBLE, after, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
  MPI_Precv_init(parts_in, PARTS, LENGTH, MPI_DOUBLE, before, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
  MPI_Recv_init(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[2]);
  MPI_Send_init(&out[0], 1, MPI_INT, after, 3, MPI_COMM_WORLD, &r[3]);
  for (int step = 0; step < STEPS; step++) {
    int arrived = 0;
    out[0] = rank * 3 + step;
    MPI_Startall(4, r);
    make_ready(&r[0], step);
    while (step == 1 && !arrived)
      MPI_Parrived(r[1], 0, &arrived);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    h = hash_bytes(hash_bytes(h, in, sizeof in), parts_in, sizeof parts_in);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 4; i++)
    MPI_Request_free(&r[i]);
  report("beside partitioned", h);
  return MPI_Finalize();
}
