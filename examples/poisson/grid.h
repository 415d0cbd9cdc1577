/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of a square grid, with one line of the neighbours' cells around it, in a window that the neighbours put into.
 */
#ifndef GRID_H
#define GRID_H

#include <mpi.h>

enum { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct grid {
  MPI_Comm comm;
  int rows, columns;           /* without the lines around */
  int first_row, first_column; /* in the whole grid */
  int neighbours[SIDES];       /* MPI_PROC_NULL at the edge */
  double *cells;               /* (rows + 2) * (columns + 2) */
  MPI_Win window;
  MPI_Datatype column;              /* of this part, without the lines around */
  MPI_Datatype their_column[SIDES]; /* of the neighbours' */
  MPI_Aint places[SIDES];           /* where in the neighbour's window this part's edge goes */
  MPI_Group around;                 /* the neighbours */
} grid;

/* Of n times n cells; collective. */
grid *grid_make(int n);
void grid_free(grid *g);

static inline double *grid_at(const grid *g, int row, int column) {
  return g->cells + (row + 1) * (g->columns + 2) + column + 1;
}

/* Puts the edges into the neighbours' windows, and waits for theirs: by fences, or among neighbours alone. */
void grid_exchange(grid *g, int by_fences);

#endif
