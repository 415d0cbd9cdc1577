/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * heat2d - heat spreading over a plate, explicit Euler, five-point stencil.
 *
 *   mpiexec -n P heat2d [-nx N] [-ny N] [-steps N] [-report N] [-periodic]
 *
 * The plate is cut into a Cartesian grid of ranks. Rows of a part lie together in memory and travel as they are,
 * columns travel as a vector type, and at the border of the plate the neighbour is MPI_PROC_NULL.
 *
 * - options.c: the command line
 * - grid.c: the plate and its arithmetic
 * - halo.c: the exchange
 */
#include "grid.h"
#include "halo.h"
#include "options.h"

#include <math.h>
#include <stdio.h>

int main(int argc, char **argv) {
  options o;
  grid g;
  int rank, step;
  double mine, sum, checksum;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (options_read(&o, argc, argv)) {
    if (rank == 0)
      fprintf(stderr, "usage: heat2d [-nx N] [-ny N] [-steps N] [-report N] [-periodic]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  grid_create(&g, o.nx, o.ny, o.periodic);
  MPI_Comm_rank(g.comm, &rank);
  grid_start(&g, o.nx, o.ny);
  for (step = 1; step <= o.steps; step++) {
    halo_exchange(&g);
    mine = grid_step(&g);
    if (step % o.report == 0) {
      MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, g.comm);
      if (rank == 0)
        printf("step %3d  residual %.12e\n", step, sqrt(sum / ((double)o.nx * o.ny)));
    }
  }
  checksum = grid_checksum(&g);
  if (rank == 0)
    printf("checksum %.15e\n", checksum);
  grid_free(&g);
  MPI_Finalize();
  return 0;
}
