/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "halo.h"

/* A message is named after the side that it arrives at. */
enum { TAG_HALO = 100 };

static void post_receives(grid *g, MPI_Request *request) {
  double *u = g->now;

  MPI_Irecv(&u[AT(g, 0, 1)], g->nx, MPI_DOUBLE, g->neighbour[NORTH], TAG_HALO + NORTH, g->comm, &request[NORTH]);
  MPI_Irecv(&u[AT(g, g->ny + 1, 1)], g->nx, MPI_DOUBLE, g->neighbour[SOUTH], TAG_HALO + SOUTH, g->comm,
            &request[SOUTH]);
  MPI_Irecv(&u[AT(g, 1, 0)], 1, g->column, g->neighbour[WEST], TAG_HALO + WEST, g->comm, &request[WEST]);
  MPI_Irecv(&u[AT(g, 1, g->nx + 1)], 1, g->column, g->neighbour[EAST], TAG_HALO + EAST, g->comm, &request[EAST]);
}

static void post_sends(grid *g, MPI_Request *request) {
  const double *u = g->now;

  MPI_Isend(&u[AT(g, 1, 1)], g->nx, MPI_DOUBLE, g->neighbour[NORTH], TAG_HALO + SOUTH, g->comm, &request[NORTH]);
  MPI_Isend(&u[AT(g, g->ny, 1)], g->nx, MPI_DOUBLE, g->neighbour[SOUTH], TAG_HALO + NORTH, g->comm, &request[SOUTH]);
  MPI_Isend(&u[AT(g, 1, 1)], 1, g->column, g->neighbour[WEST], TAG_HALO + EAST, g->comm, &request[WEST]);
  MPI_Isend(&u[AT(g, 1, g->nx)], 1, g->column, g->neighbour[EAST], TAG_HALO + WEST, g->comm, &request[EAST]);
}

void halo_exchange(grid *g) {
  MPI_Request request[2 * SIDES];
  MPI_Status status[2 * SIDES];

  post_receives(g, request);
  post_sends(g, request + SIDES);
  MPI_Waitall(2 * SIDES, request, status);
}
