/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "halo.h"

enum { TO_WEST = 1, TO_EAST, TO_SOUTH, TO_NORTH };

void halo_exchange(part *p, double *field) {
  MPI_Request requests[8];
  MPI_Status statuses[8];
  MPI_Irecv(&field[AT(p, 0, 1)], 1, p->column, p->west, TO_EAST, p->comm, &requests[0]);
  MPI_Irecv(&field[AT(p, p->nx + 1, 1)], 1, p->column, p->east, TO_WEST, p->comm, &requests[1]);
  MPI_Irecv(&field[AT(p, 1, 0)], p->nx, MPI_DOUBLE, p->south, TO_NORTH, p->comm, &requests[2]);
  MPI_Irecv(&field[AT(p, 1, p->ny + 1)], p->nx, MPI_DOUBLE, p->north, TO_SOUTH, p->comm, &requests[3]);
  MPI_Isend(&field[AT(p, 1, 1)], 1, p->column, p->west, TO_WEST, p->comm, &requests[4]);
  MPI_Isend(&field[AT(p, p->nx, 1)], 1, p->column, p->east, TO_EAST, p->comm, &requests[5]);
  MPI_Isend(&field[AT(p, 1, 1)], p->nx, MPI_DOUBLE, p->south, TO_SOUTH, p->comm, &requests[6]);
  MPI_Isend(&field[AT(p, 1, p->ny)], p->nx, MPI_DOUBLE, p->north, TO_NORTH, p->comm, &requests[7]);
  MPI_Waitall(8, requests, statuses);
}
