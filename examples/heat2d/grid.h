/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GRID_H
#define GRID_H

#include <mpi.h>
#include <stddef.h>

enum { NORTH, SOUTH, WEST, EAST, SIDES };

/* One rank's part of the plate, with a frame of one point for the neighbours' values. */
typedef struct {
  MPI_Comm comm;        /* Cartesian */
  int neighbour[SIDES]; /* MPI_PROC_NULL at the border of the plate */
  int x0, y0;           /* first point of this part in the whole plate */
  int nx, ny;           /* points of this part, without the frame */
  double *now, *next;   /* (ny + 2) rows of (nx + 2) */
  MPI_Datatype column;  /* one column without its corners */
} grid;

#define AT(g, y, x) ((size_t)(y) * ((g)->nx + 2) + (x))

/* Collective over MPI_COMM_WORLD. */
void grid_create(grid *g, int nx, int ny, int periodic);
void grid_free(grid *g);

/* Sets the first temperatures: warm spots on a cold plate, hot along the northern border. */
void grid_start(grid *g, int whole_nx, int whole_ny);

/* One step of the heat equation; returns this rank's part of the squared residual. */
double grid_step(grid *g);

/* Depends on every point and where it is. The same on every rank, and the same for any timing. */
double grid_checksum(const grid *g);

#endif
