// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nonblocking collectives of neighbours by libmpishm and by MPI on the same data, all five under way at once: on lines,
// rings and grids; on graphs, and where one neighbour comes twice, they are MPI's.
//
// DEFINE: %{folders} = -I%S/../Inputs -I%S/../collectives
// RUN: mkdir -p %t && mpishmcc -O1 -g %{folders} -Wno-stringop-overflow %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: mpiexec -n 4 %t/program | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/program nodes | FileCheck %s
// CHECK: all right
#include "collectives.h"

enum { ALL = 5, NEIGHBORS = 4, ROOM = NEIGHBORS * 8192 };

static int by_mpi;

/* What libmpishm hands on comes by here. */
int MPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            MPI_Request *request) {
  by_mpi++;
  return PMPI_Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                  comm, request);
}

#define BEGIN(P)                                                                                                       \
  do {                                                                                                                 \
    P##_Ineighbor_allgather(in, n, MPI_INT, out[0], n, MPI_INT, comm, &requests[0]);                                   \
    P##_Ineighbor_allgatherv(in, n, MPI_INT, out[1], counts, at, MPI_INT, comm, &requests[1]);                         \
    P##_Ineighbor_alltoall(in, n, MPI_INT, out[2], n, MPI_INT, comm, &requests[2]);                                    \
    P##_Ineighbor_alltoallv(in, counts, at, MPI_INT, out[3], counts, at, MPI_INT, comm, &requests[3]);                 \
    P##_Ineighbor_alltoallw(in, counts, bytes_at, types, out[4], counts, bytes_at, types, comm, &requests[4]);         \
  } while (0)

/* `here`: they are not MPI's. */
static void compare(MPI_Comm comm, int here) {
  static int in[ROOM], ours[ALL][ROOM], mpis[ALL][ROOM];
  const int sizes[] = {0, 1, 300, 8000};
  for (int k = 0; k < 4; k++) {
    int n = sizes[k], counts[NEIGHBORS], at[NEIGHBORS], before = by_mpi, (*out)[ROOM] = ours;
    MPI_Aint bytes_at[NEIGHBORS];
    MPI_Datatype types[NEIGHBORS];
    MPI_Request requests[ALL];
    for (int i = 0; i < NEIGHBORS; i++) {
      counts[i] = n;
      at[i] = i * (n + 1);
      bytes_at[i] = at[i] * (MPI_Aint)sizeof(int);
      types[i] = MPI_INT;
    }
    fill_bytes(in, sizeof in, rank + k);
    fill_bytes(ours, sizeof ours, 7 * rank + k);
    memcpy(mpis, ours, sizeof ours);
    BEGIN(MPISHM);
    MPISHM_Waitall(ALL, requests, MPI_STATUSES_IGNORE);
    if ((by_mpi == before) != here)
      wrong("who did it", k);
    out = mpis;
    BEGIN(PMPI);
    PMPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE);
    same("what neighbours sent", ours, mpis, sizeof ours, n);
  }
}

static void on_grid(int dimensions, const int lengths[], int periodic, int here) {
  const int periods[] = {periodic, periodic};
  MPI_Comm comm;
  MPISHM_Cart_create(MPI_COMM_WORLD, dimensions, lengths, periods, 0, &comm);
  compare(comm, here);
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  int one_node = argc == 1, all[] = {size, 1}, half[] = {2, size / 2}, next[] = {(rank + 1) % size};
  on_grid(1, all, 0, one_node);
  on_grid(1, all, 1, one_node && size > 2);
  on_grid(2, all, 1, 0); /* its own neighbour, twice */
  if (size == 4)
    on_grid(2, half, 0, one_node);
  MPI_Comm graph;
  int from[] = {(rank + size - 1) % size};
  MPISHM_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                    &graph);
  compare(graph, 0);
  MPI_Comm_free(&graph);
  return finish(16);
}
