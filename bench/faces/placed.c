/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * placed - as packed, but each face is packed where it is received, by hand: what MPISHM_Packing_buffer is for.
 */
#include "faces.h"
#include "fail.h"

#include <mpishm.h>

static struct {
  struct cube *cube;
  MPI_Comm comm;
  double *out[FACES], *in[FACES];
} s;

static void set_up(struct cube *cube) {
  const size_t cells = (size_t)cube->n * (size_t)cube->n;
  s.cube = cube;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &s.comm);
  for (int f = 0; f < FACES; f++) {
    s.out[f] = MPISHM_Malloc(cells * sizeof(double));
    s.in[f] = MPISHM_Malloc(cells * sizeof(double));
    if (s.out[f] == NULL || s.in[f] == NULL)
      fail("no memory for faces");
  }
}

static void exchange(void) {
  const int cells = s.cube->n * s.cube->n;
  MPI_Request requests[2 * FACES];
  for (int f = 0; f < FACES; f++)
    MPISHM_Irecv(s.in[f], cells, MPI_DOUBLE, s.cube->neighbour[f], f ^ 1, s.comm, &requests[f]);
  for (int f = 0; f < FACES; f++) {
    pack_face(s.cube, f, MPISHM_Packing_buffer(s.out[f], cells, MPI_DOUBLE, s.cube->neighbour[f], f, s.comm));
    MPISHM_Isend_packed(s.out[f], cells, MPI_DOUBLE, s.cube->neighbour[f], f, s.comm, &requests[FACES + f]);
  }
  MPISHM_Waitall(2 * FACES, requests, MPI_STATUSES_IGNORE);
  for (int f = 0; f < FACES; f++)
    unpack_face(s.cube, f, s.in[f]);
}

static void tear_down(void) {
  for (int f = 0; f < FACES; f++) {
    MPISHM_Free(s.out[f]);
    MPISHM_Free(s.in[f]);
  }
  MPI_Comm_free(&s.comm);
}

const struct exchange placed = {.name = "placed", .set_up = set_up, .exchange = exchange, .tear_down = tear_down};
