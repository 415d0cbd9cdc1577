// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives with large counts (MPI 4), each of them once with nothing, few and many.
//
// REQUIRES: mpi4
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --check-prefix=TEXT < %t/rewritten/large_counts.c
#include "report.h"
#include <string.h>

enum { RANKS = 4, LONG = 3000, ROOM = 2 * RANKS * LONG };

static int rank, in[ROOM], out[ROOM];
static MPI_Count same[RANKS], counts[RANKS]; /* as many for each, and not */
static MPI_Aint places[RANKS], bytes[RANKS];
static MPI_Datatype types[RANKS];
static MPI_Comm comm, ring;

/* The result where it is defined: of other members libraries may use it. */
static hash_t hash_of(hash_t h, int is_defined) { return is_defined ? hash_bytes(h, in, sizeof in) : h; }

static void begin(int n, int number) {
  for (int i = 0; i < RANKS; i++) {
    same[i] = n;
    counts[i] = i % 2 ? n : n / 2;
    places[i] = (RANKS - 1 - i) * (n + 1);
    bytes[i] = places[i] * (MPI_Aint)sizeof(int);
    types[i] = MPI_INT;
  }
  fill_bytes(out, sizeof out, 100 * number + rank);
  fill_bytes(in, sizeof in, 200 * number + rank);
}

static hash_t one_of_each(hash_t h, int n, int root) {
  begin(n, 0);
  // TEXT: {{^ +}}MPISHM_Bcast_c(
  MPI_Bcast_c(in, n, MPI_INT, root, comm);
  h = hash_of(h, 1);
  begin(n, 1);
  // TEXT: {{^ +}}MPISHM_Gather_c(
  MPI_Gather_c(out, n, MPI_INT, in, n, MPI_INT, root, comm);
  h = hash_of(h, 1);
  begin(n, 2);
  // TEXT: {{^ +}}MPISHM_Gatherv_c(
  MPI_Gatherv_c(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, root, comm);
  h = hash_of(h, 1);
  begin(n, 3);
  // TEXT: {{^ +}}MPISHM_Scatter_c(
  MPI_Scatter_c(out, n, MPI_INT, in, n, MPI_INT, root, comm);
  h = hash_of(h, 1);
  begin(n, 4);
  // TEXT: {{^ +}}MPISHM_Scatterv_c(
  MPI_Scatterv_c(out, counts, places, MPI_INT, in, counts[rank], MPI_INT, root, comm);
  h = hash_of(h, 1);
  begin(n, 5);
  // TEXT: {{^ +}}MPISHM_Allgather_c(
  MPI_Allgather_c(out, n, MPI_INT, in, n, MPI_INT, comm);
  h = hash_of(h, 1);
  begin(n, 6);
  // TEXT: {{^ +}}MPISHM_Allgatherv_c(
  MPI_Allgatherv_c(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, comm);
  h = hash_of(h, 1);
  begin(n, 7);
  // TEXT: {{^ +}}MPISHM_Alltoall_c(
  MPI_Alltoall_c(out, n, MPI_INT, in, n, MPI_INT, comm);
  h = hash_of(h, 1);
  begin(n, 8);
  // TEXT: {{^ +}}MPISHM_Alltoallv_c(
  MPI_Alltoallv_c(out, same, places, MPI_INT, in, same, places, MPI_INT, comm);
  h = hash_of(h, 1);
  begin(n, 9);
  // TEXT: {{^ +}}MPISHM_Alltoallw_c(
  MPI_Alltoallw_c(out, same, bytes, types, in, same, bytes, types, comm);
  h = hash_of(h, 1);
  begin(n, 10);
  // TEXT: {{^ +}}MPISHM_Reduce_c(
  MPI_Reduce_c(out, in, n, MPI_INT, MPI_SUM, root, comm);
  h = hash_of(h, rank == root);
  begin(n, 11);
  // TEXT: {{^ +}}MPISHM_Allreduce_c(
  MPI_Allreduce_c(out, in, n, MPI_INT, MPI_MAX, comm);
  h = hash_of(h, 1);
  begin(n, 12);
  // TEXT: {{^ +}}MPISHM_Scan_c(
  MPI_Scan_c(out, in, n, MPI_LONG, MPI_BXOR, comm);
  h = hash_of(h, 1);
  begin(n, 13);
  // TEXT: {{^ +}}MPISHM_Exscan_c(
  MPI_Exscan_c(out, in, n, MPI_INT, MPI_SUM, comm);
  h = hash_of(h, rank > 0);
  begin(n, 14);
  // TEXT: {{^ +}}MPISHM_Reduce_scatter_c(
  MPI_Reduce_scatter_c(out, in, counts, MPI_INT, MPI_SUM, comm);
  h = hash_of(h, 1);
  begin(n, 15);
  // TEXT: {{^ +}}MPISHM_Reduce_scatter_block_c(
  MPI_Reduce_scatter_block_c(out, in, n, MPI_INT, MPI_SUM, comm);
  h = hash_of(h, 1);
  begin(n, 16);
  // TEXT: {{^ +}}MPISHM_Neighbor_allgather_c(
  MPI_Neighbor_allgather_c(out, n, MPI_INT, in, n, MPI_INT, ring);
  h = hash_of(h, 1);
  begin(n, 17);
  // TEXT: {{^ +}}MPISHM_Neighbor_allgatherv_c(
  MPI_Neighbor_allgatherv_c(out, n, MPI_INT, in, same, places, MPI_INT, ring);
  h = hash_of(h, 1);
  begin(n, 18);
  // TEXT: {{^ +}}MPISHM_Neighbor_alltoall_c(
  MPI_Neighbor_alltoall_c(out, n, MPI_INT, in, n, MPI_INT, ring);
  h = hash_of(h, 1);
  begin(n, 19);
  // TEXT: {{^ +}}MPISHM_Neighbor_alltoallv_c(
  MPI_Neighbor_alltoallv_c(out, same, places, MPI_INT, in, same, places, MPI_INT, ring);
  h = hash_of(h, 1);
  begin(n, 20);
  // TEXT: {{^ +}}MPISHM_Neighbor_alltoallw_c(
  MPI_Neighbor_alltoallw_c(out, same, bytes, types, in, same, bytes, types, ring);
  h = hash_of(h, 1);
  return h;
}

int main(int argc, char **argv) {
  const int lengths[] = {0, 5, LONG};
  int periodic = 1, ranks = RANKS;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
  for (int i = 0; i < 3; i++)
    h = one_of_each(h, lengths[i], i % RANKS);
  report("large counts", h);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
