/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Four ways to the same transposed matrix. Each takes this rank's rows of `a`, and leaves those of the result in `d`;
 * `b` and `c` have room for as much. The window is that of what the other ranks write into: c, or for the last d.
 */
#ifndef WAYS_H
#define WAYS_H

#include "matrix.h"

/* Seconds of what this rank did. */
typedef struct {
  double gather, exchange, rearrange;
} phases;

typedef struct {
  char name;
  const char *what;
  int is_direct; /* the window is d's */
  phases (*run)(const layout *l, const double *a, double *b, double *c, double *d, MPI_Win window);
} way;

extern const way ways[];
extern const int number_of_ways;

#endif
