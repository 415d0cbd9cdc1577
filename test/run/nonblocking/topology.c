// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI is asked once for the neighbours of a communicator, not in every call; and anew for one that has the handle of
// one that was freed, perhaps while a collective on it was under way.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -ldl -o %t/program
// RUN: mpiexec -n 4 %t/program | FileCheck %s
// CHECK: all right
#define _GNU_SOURCE
#include "report.h"
#include <dlfcn.h>
#include <mpishm.h>

enum { STEPS = 5 };

static int asked, rank;

/* The runtime's own calls come by here. */
int PMPI_Cart_shift(MPI_Comm comm, int direction, int distance, int *before, int *after) {
  static int (*next)(MPI_Comm, int, int, int *, int *);
  asked++;
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Cart_shift");
  return next(comm, direction, distance, before, after);
}

/* On a grid of these extents, which is freed while the last exchange is under way; how many were wrong. */
static int exchange(int rows, int columns) {
  const int extents[] = {rows, columns}, periods[] = {0, 0};
  int out[4], in[4], place[2], wrong = 0;
  MPI_Comm grid;
  MPI_Request request;
  MPISHM_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, place);
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < 4; i++) {
      out[i] = 100 * step + 10 * rank + i;
      in[i] = -1;
    }
    MPISHM_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid, &request);
    if (step == STEPS - 1)
      MPI_Comm_free(&grid);
    MPISHM_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++) { /* each has sent what is the other way for it */
      int at = place[i / 2] + (i % 2 ? 1 : -1), other = rank + (i % 2 ? 1 : -1) * (i < 2 ? columns : 1);
      int wanted = at < 0 || at >= extents[i / 2] ? -1 : 100 * step + 10 * other + (i ^ 1);
      wrong += in[i] != wanted;
    }
  }
  return wrong;
}

int main(int argc, char **argv) {
  int wrong = 0, all;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  wrong += exchange(2, 2) + exchange(1, 4) + exchange(4, 1);
  wrong += asked != 3 * 2; /* for each communicator, once a dimension */
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all ? "wrong: %d, asked %d times\n" : "all right\n", all, asked);
  return MPI_Finalize();
}
