/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * packed - faces are packed by hand into buffers from malloc, sent, and unpacked: what most programs do.
 */
#include "faces.h"
#include "fail.h"

#include <mpi.h>
#include <stdlib.h>

static struct {
  struct cube *cube;
  MPI_Comm comm;
  double *out[FACES], *in[FACES];
} s;

static void set_up(struct cube *cube) {
  const size_t cells = (size_t)cube->n * (size_t)cube->n;
  s.cube = cube;
  MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);
  for (int f = 0; f < FACES; f++) {
    s.out[f] = malloc(cells * sizeof(double));
    s.in[f] = malloc(cells * sizeof(double));
    if (s.out[f] == NULL || s.in[f] == NULL)
      fail("no memory for faces");
  }
}

static void pack(int f) {
  const int n = s.cube->n;
  const struct plane p = plane_of(n, f, 1);
  const double *row = s.cube->cells + p.first;
  double *to = s.out[f];
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
    MPI_Irecv(s.in[f], cells, MPI_DOUBLE, s.cube->neighbour[f], f ^ 1, s.comm, &requests[f]);
  for (int f = 0; f < FACES; f++) {
    pack(f);
    MPI_Isend(s.out[f], cells, MPI_DOUBLE, s.cube->neighbour[f], f, s.comm, &requests[FACES + f]);
  }
  MPI_Waitall(2 * FACES, requests, MPI_STATUSES_IGNORE);
  for (int f = 0; f < FACES; f++)
    unpack(f);
}

static void tear_down(void) {
  for (int f = 0; f < FACES; f++) {
    free(s.out[f]);
    free(s.in[f]);
  }
  MPI_Comm_free(&s.comm);
}

const struct exchange VARIANT(packed) = {
    .name = "packed", .set_up = set_up, .exchange = exchange, .tear_down = tear_down};
