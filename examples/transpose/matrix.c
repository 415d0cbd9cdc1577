/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "matrix.h"

#include <math.h>
#include <stdlib.h>

void layout_create(layout *l, int n) {
  MPI_Comm_rank(MPI_COMM_WORLD, &l->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &l->ranks);
  l->rows = n / l->ranks > 0 ? n / l->ranks : 1;
  l->n = l->rows * l->ranks;
}

double *matrix_create(const layout *l) {
  double *a = malloc(AT(l, l->rows, 0) * sizeof(double));
  if (!a)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return a;
}

static double element(const layout *l, int i, int j) { return (double)i * l->n + j; }

void matrix_fill(const layout *l, double *a) {
  int i, j;
  for (i = 0; i < l->rows; i++)
    for (j = 0; j < l->n; j++)
      a[AT(l, i, j)] = element(l, l->rank * l->rows + i, j);
}

double matrix_error(const layout *l, const double *a) {
  double mine = 0, all;
  int i, j;
  for (i = 0; i < l->rows; i++)
    for (j = 0; j < l->n; j++)
      mine += fabs(a[AT(l, i, j)] - element(l, j, l->rank * l->rows + i));
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

void transpose(const double *a, double *b, int rows, int columns) {
  enum { TILE = 16 };
  int i, j, i0, j0;
  for (i0 = 0; i0 < rows; i0 += TILE)
    for (j0 = 0; j0 < columns; j0 += TILE)
      for (i = i0; i < rows && i < i0 + TILE; i++)
        for (j = j0; j < columns && j < j0 + TILE; j++)
          b[(size_t)j * rows + i] = a[(size_t)i * columns + j];
}
