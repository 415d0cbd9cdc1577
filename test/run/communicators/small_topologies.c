// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids and graphs of fewer ranks than the communicator that they are made of, of each size, and communicators made of
// these. (MPICH 5.0 gives those that are left out as members of the group.)
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { LENGTH = 100 };

static hash_t ring(MPI_Comm comm, hash_t h) {
  int rank, size, out[LENGTH], in[LENGTH];
  MPI_Status status;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  fill_bytes(out, sizeof out, rank + size);
  MPI_Sendrecv(out, LENGTH, MPI_INT, (rank + 1) % size, 3, in, LENGTH, MPI_INT, (rank + size - 1) % size, 3, comm,
               &status);
  MPI_Barrier(comm);
  return hash_bytes(hash_status(h, &status, MPI_INT), in, sizeof in);
}

static hash_t try_out(MPI_Comm comm, hash_t h) {
  MPI_Comm copy;
  if (comm == MPI_COMM_NULL)
    return h;
  MPI_Comm_dup(comm, &copy);
  h = ring(copy, ring(comm, h));
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  return h;
}

int main(int argc, char **argv) {
  int size;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int members = 1; members <= size; members++) {
    MPI_Comm grid, graph;
    int extents[] = {members, 1}, periods[] = {1, 1}, index[16], edges[16];
    for (int i = 0; i < members; i++) {
      index[i] = i + 1;
      edges[i] = (i + 1) % members;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
    h = try_out(grid, h);
    MPI_Graph_create(MPI_COMM_WORLD, members, index, edges, 0, &graph);
    h = try_out(graph, h);
  }
  report("small topologies", h);
  MPI_Finalize();
  return 0;
}
