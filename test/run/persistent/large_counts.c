// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent collectives with large counts (MPI 4), each of them started twice with nothing, few and many.
//
// REQUIRES: mpi4
// (With Intel MPI 2021.18 originals of persistent collectives do not end in 120 s, four ranks on two cores.)
// UNSUPPORTED: mpi-impi
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --check-prefix=TEXT < %t/rewritten/large_counts.c
#include "report.h"
#include <string.h>

/* MPICH 4.0.2 does not copy the own part again in Gather and Allgather, and Scatter ends in an error. */
#define HAS_ALL (!defined(MPICH_NUMVERSION) || MPICH_NUMVERSION >= 40100000)

enum { RANKS = 4, LONG = 3000, ROOM = 2 * RANKS * LONG };

static int rank, in[ROOM], out[ROOM];
static MPI_Count same[RANKS], counts[RANKS]; /* as many for each, and not */
static MPI_Aint places[RANKS], bytes[RANKS];
static MPI_Datatype types[RANKS];
static MPI_Comm comm, ring;

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

/* Starts it twice, with other data the second time. */
static hash_t twice(hash_t h, MPI_Request *r, int is_defined) {
  for (int i = 0; i < 2; i++) {
    MPI_Start(r);
    MPI_Wait(r, MPI_STATUS_IGNORE);
    h = is_defined ? hash_bytes(h, in, sizeof in) : h; /* else libraries may use it */
    fill_bytes(out, sizeof out, rank + i);
  }
  MPI_Request_free(r);
  return h;
}

static hash_t one_of_each(hash_t h, int n, int root) {
  MPI_Request r;
  begin(n, 0);
  // TEXT: {{^ +}}MPISHM_Bcast_init_c(
  MPI_Bcast_init_c(in, n, MPI_INT, root, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
#if HAS_ALL
  begin(n, 1);
  MPI_Gather_init_c(out, n, MPI_INT, in, n, MPI_INT, root, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
#endif
  begin(n, 2);
  // TEXT: {{^ +}}MPISHM_Gatherv_init_c(
  MPI_Gatherv_init_c(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, root, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
#if HAS_ALL
  begin(n, 3);
  MPI_Scatter_init_c(out, n, MPI_INT, in, n, MPI_INT, root, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
#endif
  begin(n, 4);
  // TEXT: {{^ +}}MPISHM_Scatterv_init_c(
  MPI_Scatterv_init_c(out, counts, places, MPI_INT, in, counts[rank], MPI_INT, root, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
#if HAS_ALL
  begin(n, 5);
  MPI_Allgather_init_c(out, n, MPI_INT, in, n, MPI_INT, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
#endif
  begin(n, 6);
  // TEXT: {{^ +}}MPISHM_Allgatherv_init_c(
  MPI_Allgatherv_init_c(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 7);
  // TEXT: {{^ +}}MPISHM_Alltoall_init_c(
  MPI_Alltoall_init_c(out, n, MPI_INT, in, n, MPI_INT, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 8);
  // TEXT: {{^ +}}MPISHM_Alltoallv_init_c(
  MPI_Alltoallv_init_c(out, same, places, MPI_INT, in, same, places, MPI_INT, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 9);
  // TEXT: {{^ +}}MPISHM_Alltoallw_init_c(
  MPI_Alltoallw_init_c(out, same, bytes, types, in, same, bytes, types, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 10);
  // TEXT: {{^ +}}MPISHM_Reduce_init_c(
  MPI_Reduce_init_c(out, in, n, MPI_INT, MPI_SUM, root, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, rank == root);
  begin(n, 11);
  // TEXT: {{^ +}}MPISHM_Allreduce_init_c(
  MPI_Allreduce_init_c(out, in, n, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 12);
  // TEXT: {{^ +}}MPISHM_Scan_init_c(
  MPI_Scan_init_c(out, in, n, MPI_LONG, MPI_BXOR, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 13);
  // TEXT: {{^ +}}MPISHM_Exscan_init_c(
  MPI_Exscan_init_c(out, in, n, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, rank > 0);
  begin(n, 14);
  // TEXT: {{^ +}}MPISHM_Reduce_scatter_init_c(
  MPI_Reduce_scatter_init_c(out, in, counts, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 15);
  // TEXT: {{^ +}}MPISHM_Reduce_scatter_block_init_c(
  MPI_Reduce_scatter_block_init_c(out, in, n, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 16);
  // TEXT: {{^ +}}MPISHM_Neighbor_allgather_init_c(
  MPI_Neighbor_allgather_init_c(out, n, MPI_INT, in, n, MPI_INT, ring, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 17);
  // TEXT: {{^ +}}MPISHM_Neighbor_allgatherv_init_c(
  MPI_Neighbor_allgatherv_init_c(out, n, MPI_INT, in, same, places, MPI_INT, ring, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 18);
  // TEXT: {{^ +}}MPISHM_Neighbor_alltoall_init_c(
  MPI_Neighbor_alltoall_init_c(out, n, MPI_INT, in, n, MPI_INT, ring, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 19);
  // TEXT: {{^ +}}MPISHM_Neighbor_alltoallv_init_c(
  MPI_Neighbor_alltoallv_init_c(out, same, places, MPI_INT, in, same, places, MPI_INT, ring, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
  begin(n, 20);
  // TEXT: {{^ +}}MPISHM_Neighbor_alltoallw_init_c(
  MPI_Neighbor_alltoallw_init_c(out, same, bytes, types, in, same, bytes, types, ring, MPI_INFO_NULL, &r);
  h = twice(h, &r, 1);
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
