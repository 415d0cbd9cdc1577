/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * by type - faces are sent from the cube and received into it, as subarrays.
 */
#include "faces.h"

#include <mpi.h>

static struct {
  struct cube *cube;
  MPI_Comm comm;
  MPI_Datatype out[FACES], in[FACES];
} s;

static MPI_Datatype face_type(int n, int f, int layer) {
  const int dimension = f / 2, place = 2 - dimension; /* C's order: the contiguous dimension is the last */
  int sizes[3] = {n + 2, n + 2, n + 2}, subsizes[3] = {n, n, n}, starts[3] = {1, 1, 1};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  subsizes[place] = 1;
  starts[place] = f % 2 == 0 ? layer : n + 1 - layer;
  MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static void set_up(struct cube *cube) {
  s.cube = cube;
  MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);
  for (int f = 0; f < FACES; f++) {
    s.out[f] = face_type(cube->n, f, 1);
    s.in[f] = face_type(cube->n, f, 0);
  }
}

static void exchange(void) {
  MPI_Request requests[2 * FACES];
  for (int f = 0; f < FACES; f++)
    MPI_Irecv(s.cube->cells, 1, s.in[f], s.cube->neighbour[f], f ^ 1, s.comm, &requests[f]);
  for (int f = 0; f < FACES; f++)
    MPI_Isend(s.cube->cells, 1, s.out[f], s.cube->neighbour[f], f, s.comm, &requests[FACES + f]);
  MPI_Waitall(2 * FACES, requests, MPI_STATUSES_IGNORE);
}

static void tear_down(void) {
  for (int f = 0; f < FACES; f++) {
    MPI_Type_free(&s.out[f]);
    MPI_Type_free(&s.in[f]);
  }
  MPI_Comm_free(&s.comm);
}

const struct exchange VARIANT(by_type) = {
    .name = "by type", .set_up = set_up, .exchange = exchange, .tear_down = tear_down};
