/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * partners.c - who exchanges with whom.
 */
#include "halo.h"

#include <mpi.h>

static int wrapped(int at, int size) { return (at % size + size) % size; }

/* Partner 2k is k + 1 ranks to the left, partner 2k + 1 as many to the right; the ends of the line are joined. */
static void place_on_ring(struct halo *h) {
  for (int j = 0; j < h->npartner; j++) {
    int distance = j / 2 + 1;
    h->partner[j] = wrapped(h->rank + (j % 2 == 0 ? -distance : distance), h->ranks);
  }
}

/* The next half-plane point (y > 0, or y = 0 and x > 0) after (x, y) by distance, then y, then x. */
static void next_offset(int *x, int *y) {
  enum { REACH = 6 }; /* far enough for MAX_PARTNERS */
  int from = *x * *x + *y * *y, best = 2 * REACH * REACH, best_x = 0, best_y = 0;
  for (int v = 0; v <= REACH; v++)
    for (int u = v == 0 ? 1 : -REACH; u <= REACH; u++) {
      int square = u * u + v * v;
      int after = square > from || (square == from && (v > *y || (v == *y && u > *x)));
      if (after && square < best) {
        best = square;
        best_x = u;
        best_y = v;
      }
    }
  *x = best_x;
  *y = best_y;
}

/* 4 partners are the sides of a square, 8 also its corners, 12 also the sides one further: nearest first. */
static void place_on_torus(struct halo *h) {
  int dims[2] = {0, 0}, x = 0, y = 0;
  MPI_Dims_create(h->ranks, 2, dims);
  int row = h->rank / dims[1], column = h->rank % dims[1];
  for (int j = 0; j < h->npartner; j++) {
    if (j % 2 == 0)
      next_offset(&x, &y);
    int sign = j % 2 == 0 ? -1 : 1;
    h->partner[j] = wrapped(row + sign * y, dims[0]) * dims[1] + wrapped(column + sign * x, dims[1]);
  }
}

void place_partners(struct halo *h, int dimension) {
  if (dimension == 1)
    place_on_ring(h);
  else
    place_on_torus(h);
}
