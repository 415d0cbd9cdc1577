/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "grid.h"

#include <stdio.h>
#include <stdlib.h>

/* Points of `whole` that part `i` of `parts` gets, and its first one. */
static int share(int whole, int parts, int i, int *first) {
  int least = whole / parts, rest = whole % parts;

  *first = i * least + (i < rest ? i : rest);
  return least + (i < rest);
}

static double *points(const grid *g) {
  double *p = calloc((size_t)(g->nx + 2) * (g->ny + 2), sizeof(double));

  if (!p) {
    fprintf(stderr, "heat2d: out of memory\n");
    MPI_Abort(g->comm, 1);
  }
  return p;
}

void grid_create(grid *g, int nx, int ny, int periodic) {
  int size, rank, dims[2] = {0, 0}, periods[2] = {0, periodic}, coords[2];

  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &g->comm);
  MPI_Comm_rank(g->comm, &rank);
  MPI_Cart_coords(g->comm, rank, 2, coords);
  MPI_Cart_shift(g->comm, 0, 1, &g->neighbour[NORTH], &g->neighbour[SOUTH]);
  MPI_Cart_shift(g->comm, 1, 1, &g->neighbour[WEST], &g->neighbour[EAST]);

  g->ny = share(ny, dims[0], coords[0], &g->y0);
  g->nx = share(nx, dims[1], coords[1], &g->x0);
  g->now = points(g);
  g->next = points(g);
  MPI_Type_vector(g->ny, 1, g->nx + 2, MPI_DOUBLE, &g->column);
  MPI_Type_commit(&g->column);
}

void grid_free(grid *g) {
  MPI_Type_free(&g->column);
  free(g->now);
  free(g->next);
  MPI_Comm_free(&g->comm);
}

void grid_start(grid *g, int whole_nx, int whole_ny) {
  int x, y;

  for (y = 0; y < g->ny + 2; y++)
    for (x = 0; x < g->nx + 2; x++) {
      int wx = g->x0 + x - 1, wy = g->y0 + y - 1;
      double t = (wx * 13 + wy * 29) % 17 == 0 ? 40.0 : 5.0;

      if (wy < 0)
        t = 100.0;
      if (wx < 0 || wx >= whole_nx || wy >= whole_ny)
        t = 0.0;
      g->now[AT(g, y, x)] = t;
      g->next[AT(g, y, x)] = t;
    }
}

double grid_step(grid *g) {
  double sum = 0.0, *swap;
  int x, y;

  for (y = 1; y <= g->ny; y++)
    for (x = 1; x <= g->nx; x++) {
      double here = g->now[AT(g, y, x)];
      double around =
          g->now[AT(g, y - 1, x)] + g->now[AT(g, y + 1, x)] + g->now[AT(g, y, x - 1)] + g->now[AT(g, y, x + 1)];
      double change = 0.2 * (around - 4.0 * here);

      g->next[AT(g, y, x)] = here + change;
      sum += change * change;
    }
  swap = g->now;
  g->now = g->next;
  g->next = swap;
  return sum;
}

double grid_checksum(const grid *g) {
  double mine = 0.0, sum = 0.0, *all;
  int x, y, r, size;

  for (y = 1; y <= g->ny; y++)
    for (x = 1; x <= g->nx; x++)
      mine += g->now[AT(g, y, x)] * (1 + (g->x0 + x) % 19 + 3 * ((g->y0 + y) % 23));
  MPI_Comm_size(g->comm, &size);
  all = malloc(size * sizeof(double));
  MPI_Allgather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, g->comm);
  for (r = 0; r < size; r++)
    sum += all[r];
  free(all);
  return sum;
}
