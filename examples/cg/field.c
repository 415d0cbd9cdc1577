/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the i-th of `parts` parts of n points begins. */
static int begin(int n, int parts, int i) { return (int)((long)n * i / parts); }

void part_create(part *p, int n) {
  int size, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &p->comm);
  MPI_Comm_rank(p->comm, &p->rank);
  MPI_Cart_coords(p->comm, p->rank, 2, at);
  MPI_Cart_shift(p->comm, 0, 1, &p->south, &p->north);
  MPI_Cart_shift(p->comm, 1, 1, &p->west, &p->east);
  p->n = n;
  p->first_y = begin(n, dims[0], at[0]);
  p->first_x = begin(n, dims[1], at[1]);
  p->ny = begin(n, dims[0], at[0] + 1) - p->first_y;
  p->nx = begin(n, dims[1], at[1] + 1) - p->first_x;
  MPI_Type_vector(p->ny, 1, p->nx + 2, MPI_DOUBLE, &p->column);
  MPI_Type_commit(&p->column);
}

void part_free(part *p) {
  MPI_Type_free(&p->column);
  MPI_Comm_free(&p->comm);
}

double *field_create(const part *p) {
  double *field = calloc(AT(p, 0, p->ny + 2), sizeof(double));
  if (!field)
    MPI_Abort(p->comm, 1);
  return field;
}

void field_source(const part *p, double *b) {
  int x, y;
  for (y = 1; y <= p->ny; y++)
    for (x = 1; x <= p->nx; x++)
      b[AT(p, x, y)] =
          sin(0.1 * (p->first_x + x)) * cos(0.07 * (p->first_y + y)) + (p->first_x + x + p->first_y + y == 2);
}

void field_copy(const part *p, double *to, const double *from) {
  memcpy(to, from, AT(p, 0, p->ny + 2) * sizeof(double));
}

void field_multiply(const part *p, const double *a, double *b) {
  int x, y;
  for (y = 1; y <= p->ny; y++)
    for (x = 1; x <= p->nx; x++)
      b[AT(p, x, y)] =
          4 * a[AT(p, x, y)] - a[AT(p, x - 1, y)] - a[AT(p, x + 1, y)] - a[AT(p, x, y - 1)] - a[AT(p, x, y + 1)];
}

void field_add(const part *p, double *to, double factor, const double *a) {
  int x, y;
  for (y = 1; y <= p->ny; y++)
    for (x = 1; x <= p->nx; x++)
      to[AT(p, x, y)] += factor * a[AT(p, x, y)];
}

void field_scale_and_add(const part *p, double *to, double factor, const double *a) {
  int x, y;
  for (y = 1; y <= p->ny; y++)
    for (x = 1; x <= p->nx; x++)
      to[AT(p, x, y)] = factor * to[AT(p, x, y)] + a[AT(p, x, y)];
}

double field_dot(const part *p, const double *a, const double *b) {
  double sum = 0;
  int x, y;
  for (y = 1; y <= p->ny; y++)
    for (x = 1; x <= p->nx; x++)
      sum += a[AT(p, x, y)] * b[AT(p, x, y)];
  return sum;
}
