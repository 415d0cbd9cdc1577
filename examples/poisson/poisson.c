/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * poisson - the five-point stencil on a square by Gauss and Seidel, red cells and black ones in turns, until it
 * converges: each rank puts the edges of its part into the windows of its neighbours.
 *
 *   mpiexec -n P poisson [cells in a row] [sweeps at most] [fence]
 *
 * Neighbours wait for one another alone, or with `fence` all for all.
 */
#include "grid.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One colour; gives the largest change. */
static double sweep(grid *g, int colour, double source) {
  double most = 0;
  for (int row = 0; row < g->rows; row++)
    for (int column = (g->first_row + row + g->first_column + colour) % 2; column < g->columns; column += 2) {
      double *cell = grid_at(g, row, column);
      double next = 0.25 * (cell[-1] + cell[1] + cell[-(g->columns + 2)] + cell[g->columns + 2] + source);
      most = fmax(most, fabs(next - *cell));
      *cell = next;
    }
  return most;
}

int main(int argc, char **argv) {
  int rank, size, sweeps = 0;
  double change = 1, sum = 0, *sums;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = argc > 1 ? atoi(argv[1]) : 64, most = argc > 2 ? atoi(argv[2]) : 200;
  int by_fences = argc > 3 && !strcmp(argv[3], "fence");
  if (n < size || most < 1) {
    fprintf(stderr, "usage: poisson [cells in a row] [sweeps at most] [fence]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  grid *g = grid_make(n);
  for (; sweeps < most && change > 1e-6; sweeps++) {
    double mine = 0;
    for (int colour = 0; colour < 2; colour++) {
      mine = fmax(mine, sweep(g, colour, 1.0 / (n * n)));
      grid_exchange(g, by_fences);
    }
    MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, g->comm);
  }
  for (int row = 0; row < g->rows; row++)
    for (int column = 0; column < g->columns; column++)
      sum += *grid_at(g, row, column);
  sums = malloc(size * sizeof *sums);
  MPI_Gather(&sum, 1, MPI_DOUBLE, sums, 1, MPI_DOUBLE, 0, g->comm);
  for (int i = 1; i < size && rank == 0; i++)
    sums[0] += sums[i];
  if (rank == 0)
    printf("%d sweeps, the last changed a cell by %.17g; the sum of all is %.17g\n", sweeps, change, sums[0]);
  free(sums);
  grid_free(g);
  MPI_Finalize();
  return 0;
}
