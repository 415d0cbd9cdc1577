// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes that stay with MPI, since a comment keeps a call, beside classes that are rewritten: wildcards on one
// communicator and exact envelopes on another, in one list of requests; persistent requests with a wildcard on a third, in
// a list of their own.
//
// RUN: %run-both %s --work %t --leaves Isend,Irecv,Waitall
// RUN: FileCheck %s --check-prefix=TEXT < %t/rewritten/beside_mpi.c
#include "report.h"

static int rank, size;

int main(int argc, char **argv) {
  MPI_Comm wild, kept, exact;
  int in[4] = {-1, -1, -1, -1}, out[4], step, before, after;
  MPI_Request r[4], persistent[2];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &wild);
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  MPI_Comm_dup(MPI_COMM_WORLD, &exact);
  before = (rank + size - 1) % size;
  after = (rank + 1) % size;
  MPI_Recv_init(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 1, kept, &persistent[0]);
  MPI_Send_init(&out[1], 1, MPI_INT, after, 1, kept, &persistent[1]); // mpishm: keep
  for (step = 0; step < 4; step++) {
    out[0] = rank + step;
    out[1] = rank * 2 + step;
    out[2] = rank * 3 + step;
    // TEXT: {{^ +}}MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE
    MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, wild, &r[0]);
    // TEXT: {{^ +}}MPI_Isend(&out[0]
    MPI_Isend(&out[0], 1, MPI_INT, after, 1, wild, &r[1]); // mpishm: keep
    MPI_Startall(2, persistent);
    // TEXT: {{^ +}}MPISHM_Irecv(&in[2]
    MPI_Irecv(&in[2], 1, MPI_INT, before, 1, exact, &r[2]);
    // TEXT: {{^ +}}MPISHM_Isend(&out[2]
    MPI_Isend(&out[2], 1, MPI_INT, after, 1, exact, &r[3]);
    // TEXT: {{^ +}}MPISHM_Waitall(4, r
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    // TEXT: {{^ +}}MPI_Waitall(2, persistent
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
    h = hash_bytes(h, in, sizeof in);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Request_free(&persistent[0]);
  MPI_Request_free(&persistent[1]);
  MPI_Comm_free(&wild);
  MPI_Comm_free(&kept);
  MPI_Comm_free(&exact);
  report("beside MPI", h);
  MPI_Finalize();
  return 0;
}
