/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef FIELD_H
#define FIELD_H

#include <mpi.h>
#include <stddef.h>

/* A rank's part of the square: nx * ny points, with a border of one point around them. */
typedef struct {
  MPI_Comm comm;
  int rank, n; /* n * n points in all */
  int nx, ny, first_x, first_y;
  int west, east, south, north; /* MPI_PROC_NULL at the edge of the square */
  MPI_Datatype column;
} part;

void part_create(part *p, int n);
void part_free(part *p);

/* Zeros; to be freed with free. */
double *field_create(const part *p);
void field_source(const part *p, double *b);
void field_copy(const part *p, double *to, const double *from);
/* b = A a, where a's border is up to date. */
void field_multiply(const part *p, const double *a, double *b);
/* to += factor * a */
void field_add(const part *p, double *to, double factor, const double *a);
/* to = factor * to + a */
void field_scale_and_add(const part *p, double *to, double factor, const double *a);
double field_dot(const part *p, const double *a, const double *b);

#define AT(p, x, y) ((size_t)(y) * ((p)->nx + 2) + (x))

#endif
