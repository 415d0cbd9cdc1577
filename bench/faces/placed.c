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

static void pack(int f, double *to) {
  const int n = s.cube->n;
  const struct plane p = plane_of(n, f, 1);
  const double *row = s.cube->cells + p.first;
  for (int j = 0; j < n; j++, row += p.outer)
    for (int i = 0; i < n; i++)
      *to++ = row[i * p.inner];
}

static void unpack(int f) {
  const int n = s.cube->n;
  const struct plane p = plane_of(n, f, 0);
  double *row = s.cube->cells + p.first;
  const double *from = s.in[f];
  for (int j = 0; j < n; j++, row += p.outer)
    for (int i = 0; i < n; i++)
      row[i * p.inner] = *from++;
}

static void exchange(void) {
  const int cells = s.cube->n * s.cube->n;
  MPI_Request requests[2 * FACES];
  for (int f = 0; f < FACES; f++)
    MPISHM_Irecv(s.in[f], cells, MPI_DOUBLE, s.cube->neighbour[f], f ^ 1, s.comm, &requests[f]);
  for (int f = 0; f < FACES; f++) {
    pack(f, MPISHM_Packing_buffer(s.out[f], cells, MPI_DOUBLE, s.cube->neighbour[f], f, s.comm));
    MPISHM_Isend_packed(s.out[f], cells, MPI_DOUBLE, s.cube->neighbour[f], f, s.comm, &requests[FACES + f]);
  }
  MPISHM_Waitall(2 * FACES, requests, MPI_STATUSES_IGNORE);
  for (int f = 0; f < FACES; f++)
    unpack(f);
}

static void tear_down(void) {
  for (int f = 0; f < FACES; f++) {
    MPISHM_Free(s.out[f]);
    MPISHM_Free(s.in[f]);
  }
  MPI_Comm_free(&s.comm);
}

const struct exchange placed = {.name = "placed", .set_up = set_up, .exchange = exchange, .tear_down = tear_down};
