/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef MATRIX_H
#define MATRIX_H

#include <mpi.h>
#include <stddef.h>

/* A square matrix of which each rank has `rows` rows in one piece, in the order of the ranks. */
typedef struct {
  int rank, ranks, rows, n; /* n = rows * ranks */
} layout;

/* The element of row i and column j, i counted among this rank's rows. */
#define AT(l, i, j) ((size_t)(i) * (l)->n + (j))

void layout_create(layout *l, int n);
/* Memory for a rank's rows. */
double *matrix_create(const layout *l);
void matrix_fill(const layout *l, double *a);
/* How far all of `a` is from the transpose of what matrix_fill makes; the same on all ranks. */
double matrix_error(const layout *l, const double *a);
/* b = a transposed; a has `rows` rows of `columns`, and lies in memory as a rank's part does. */
void transpose(const double *a, double *b, int rows, int columns);

#endif
