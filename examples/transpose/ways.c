/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ways.h"

/* What goes to one rank next to one another: block p of b is the part of a's columns that is rank p's. */
static void gather(const layout *l, const double *a, double *b) {
  int p, i, j;
  for (i = 0; i < l->rows; i++)
    for (p = 0; p < l->ranks; p++)
      for (j = 0; j < l->rows; j++)
        b[((size_t)p * l->rows + i) * l->rows + j] = a[AT(l, i, p * l->rows + j)];
}

static phases by_alltoall(const layout *l, const double *a, double *b, double *c, double *d, MPI_Win window) {
  double t0 = MPI_Wtime(), t1, t2;
  (void)window;
  gather(l, a, b);
  t1 = MPI_Wtime();
  MPI_Alltoall(b, l->rows * l->rows, MPI_DOUBLE, c, l->rows * l->rows, MPI_DOUBLE, MPI_COMM_WORLD);
  t2 = MPI_Wtime();
  transpose(c, d, l->n, l->rows);
  return (phases){t1 - t0, t2 - t1, MPI_Wtime() - t2};
}

static phases by_blocks(const layout *l, const double *a, double *b, double *c, double *d, MPI_Win window) {
  int block = l->rows * l->rows, p;
  double t0 = MPI_Wtime(), t1, t2;
  gather(l, a, b);
  t1 = MPI_Wtime();
  MPI_Win_fence(0, window);
  for (p = 0; p < l->ranks; p++)
    MPI_Put(&b[(size_t)p * block], block, MPI_DOUBLE, p, (MPI_Aint)l->rank * block, block, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  t2 = MPI_Wtime();
  transpose(c, d, l->n, l->rows);
  return (phases){t1 - t0, t2 - t1, MPI_Wtime() - t2};
}

static phases by_rows(const layout *l, const double *a, double *b, double *c, double *d, MPI_Win window) {
  int rows = l->rows, p, i;
  double t0 = MPI_Wtime(), t1;
  (void)b;
  MPI_Win_fence(0, window);
  for (p = 0; p < l->ranks; p++)
    for (i = 0; i < rows; i++)
      MPI_Put(&a[AT(l, i, p * rows)], rows, MPI_DOUBLE, p, (MPI_Aint)rows * (l->rank * rows + i), rows, MPI_DOUBLE,
              window);
  MPI_Win_fence(0, window);
  t1 = MPI_Wtime();
  transpose(c, d, l->n, rows);
  return (phases){0, t1 - t0, MPI_Wtime() - t1};
}

static phases by_elements(const layout *l, const double *a, double *b, double *c, double *d, MPI_Win window) {
  int rows = l->rows, p, i, j;
  double t0 = MPI_Wtime();
  (void)b, (void)c, (void)d;
  MPI_Win_fence(0, window);
  for (p = 0; p < l->ranks; p++)
    for (i = 0; i < rows; i++)
      for (j = 0; j < rows; j++)
        MPI_Put(&a[AT(l, i, p * rows + j)], 1, MPI_DOUBLE, p, (MPI_Aint)AT(l, j, l->rank * rows + i), 1, MPI_DOUBLE,
                window);
  MPI_Win_fence(0, window);
  return (phases){0, MPI_Wtime() - t0, 0};
}

const way ways[] = {
    {'A', "gather, all-to-all, transpose", 0, by_alltoall},
    {'B', "gather, a put for each rank, transpose", 0, by_blocks},
    {'C', "a put for each row and rank, transpose", 0, by_rows},
    {'D', "a put for each element", 1, by_elements},
};
const int number_of_ways = sizeof ways / sizeof *ways;
