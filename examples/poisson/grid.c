/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "grid.h"
#include <stdlib.h>
#include <string.h>

/* Of n cells, how many are the i-th part's of `parts`, and which is the first. */
static int share(int n, int parts, int i, int *first) {
  *first = i * (n / parts) + (i < n % parts ? i : n % parts);
  return n / parts + (i < n % parts);
}

static void find_places(grid *g) {
  /* A neighbour's part is as wide or as high as this one where they touch; how large it is else, it tells. */
  int mine[2] = {g->rows, g->columns}, theirs[SIDES][2];
  for (int side = 0; side < SIDES; side++) {
    int back = side ^ 1;
    theirs[side][0] = theirs[side][1] = 0;
    MPI_Sendrecv(mine, 2, MPI_INT, g->neighbours[back], side, theirs[side], 2, MPI_INT, g->neighbours[side], side,
                 g->comm, MPI_STATUS_IGNORE);
  }
  for (int side = 0; side < SIDES; side++) {
    MPI_Aint width = theirs[side][1] + 2;
    g->places[side] = side == NORTH   ? (theirs[side][0] + 1) * width + 1
                      : side == SOUTH ? 1
                      : side == WEST  ? width + theirs[side][1] + 1
                                      : width;
    MPI_Type_vector(g->rows, 1, (int)width, MPI_DOUBLE, &g->their_column[side]);
    MPI_Type_commit(&g->their_column[side]);
  }
}

grid *grid_make(int n) {
  grid *g = malloc(sizeof *g);
  int size, rank, count = 0, ranks[SIDES], dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
  size_t cells;
  MPI_Group all;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &g->comm);
  MPI_Comm_rank(g->comm, &rank);
  MPI_Cart_coords(g->comm, rank, 2, at);
  MPI_Cart_shift(g->comm, 0, 1, &g->neighbours[NORTH], &g->neighbours[SOUTH]);
  MPI_Cart_shift(g->comm, 1, 1, &g->neighbours[WEST], &g->neighbours[EAST]);
  g->rows = share(n, dims[0], at[0], &g->first_row);
  g->columns = share(n, dims[1], at[1], &g->first_column);
  cells = (size_t)(g->rows + 2) * (size_t)(g->columns + 2);
  /* A multiple of 16 bytes: MPICH 4.0.2 misplaces others. */
  MPI_Win_allocate((MPI_Aint)((cells + 1) / 2 * 2 * sizeof(double)), sizeof(double), MPI_INFO_NULL, g->comm, &g->cells,
                   &g->window);
  memset(g->cells, 0, cells * sizeof(double));
  MPI_Type_vector(g->rows, 1, g->columns + 2, MPI_DOUBLE, &g->column);
  MPI_Type_commit(&g->column);
  find_places(g);
  for (int side = 0; side < SIDES; side++)
    if (g->neighbours[side] != MPI_PROC_NULL)
      ranks[count++] = g->neighbours[side];
  MPI_Comm_group(g->comm, &all);
  MPI_Group_incl(all, count, ranks, &g->around);
  MPI_Group_free(&all);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, g->window);
  return g;
}

void grid_free(grid *g) {
  MPI_Win_fence(MPI_MODE_NOSUCCEED, g->window);
  for (int side = 0; side < SIDES; side++)
    MPI_Type_free(&g->their_column[side]);
  MPI_Type_free(&g->column);
  MPI_Group_free(&g->around);
  MPI_Win_free(&g->window);
  MPI_Comm_free(&g->comm);
  free(g);
}

static void put_edges(const grid *g) {
  MPI_Put(grid_at(g, 0, 0), g->columns, MPI_DOUBLE, g->neighbours[NORTH], g->places[NORTH], g->columns, MPI_DOUBLE,
          g->window);
  MPI_Put(grid_at(g, g->rows - 1, 0), g->columns, MPI_DOUBLE, g->neighbours[SOUTH], g->places[SOUTH], g->columns,
          MPI_DOUBLE, g->window);
  MPI_Put(grid_at(g, 0, 0), 1, g->column, g->neighbours[WEST], g->places[WEST], 1, g->their_column[WEST], g->window);
  MPI_Put(grid_at(g, 0, g->columns - 1), 1, g->column, g->neighbours[EAST], g->places[EAST], 1, g->their_column[EAST],
          g->window);
}

void grid_exchange(grid *g, int by_fences) {
  if (by_fences) {
    MPI_Win_fence(0, g->window);
    put_edges(g);
    MPI_Win_fence(0, g->window);
    return;
  }
  MPI_Win_post(g->around, 0, g->window);
  MPI_Win_start(g->around, 0, g->window);
  put_edges(g);
  MPI_Win_complete(g->window);
  MPI_Win_wait(g->window);
}
