/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cg - conjugate gradients for Poisson's equation on a square, five-point stencil, the matrix never stored.
 *
 *   mpiexec -n P cg [-n N] [-iterations N] [-report N] [-times]
 *
 * The square is cut into a Cartesian grid of ranks. An iteration swaps the borders of the search direction with the
 * neighbours, and sums two dot products over all ranks: with many ranks those are what it waits for.
 *
 * - field.c: a rank's part of the square, its neighbours, and the arithmetic
 * - halo.c: the exchange
 */
#include "field.h"
#include "halo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n, iterations, report, times;
} options;

static int options_read(options *o, int argc, char **argv) {
  int i, *value;
  o->n = 48;
  o->iterations = 40;
  o->report = 5;
  o->times = 0;
  for (i = 1; i < argc; i++) {
    value = !strcmp(argv[i], "-n")            ? &o->n
            : !strcmp(argv[i], "-iterations") ? &o->iterations
            : !strcmp(argv[i], "-report")     ? &o->report
                                              : NULL;
    if (!value && !strcmp(argv[i], "-times"))
      o->times = 1;
    else if (!value || i + 1 == argc || (*value = atoi(argv[++i])) < 1)
      return -1;
  }
  return 0;
}

static double dot(const part *p, const double *a, const double *b) {
  double mine = field_dot(p, a, b), sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, p->comm);
  return sum;
}

/* Solves A x = b from x = 0 on; returns how many iterations that took. */
static int solve(part *p, double *x, const double *b, const options *o) {
  double *r = field_create(p), *direction = field_create(p), *product = field_create(p);
  double residual, before, alpha, start;
  int step;
  field_copy(p, r, b);
  field_copy(p, direction, b);
  residual = start = dot(p, r, r);
  for (step = 0; step < o->iterations && residual > 1e-24 * start; step++) {
    halo_exchange(p, direction);
    field_multiply(p, direction, product);
    alpha = residual / dot(p, direction, product);
    field_add(p, x, alpha, direction);
    field_add(p, r, -alpha, product);
    before = residual;
    residual = dot(p, r, r);
    field_scale_and_add(p, direction, residual / before, r);
    if (p->rank == 0 && (step + 1) % o->report == 0)
      printf("iteration %3d  residual %.16e\n", step + 1, sqrt(residual));
  }
  free(r);
  free(direction);
  free(product);
  return step;
}

int main(int argc, char **argv) {
  options o;
  part p;
  double *x, *b, began, norm;
  int steps;
  MPI_Init(&argc, &argv);
  if (options_read(&o, argc, argv)) {
    fprintf(stderr, "usage: cg [-n N] [-iterations N] [-report N] [-times]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  part_create(&p, o.n);
  x = field_create(&p);
  b = field_create(&p);
  field_source(&p, b);
  MPI_Barrier(p.comm);
  began = MPI_Wtime();
  steps = solve(&p, x, b, &o);
  MPI_Barrier(p.comm);
  if (p.rank == 0 && o.times)
    fprintf(stderr, "%.3e seconds an iteration\n", (MPI_Wtime() - began) / steps);
  norm = sqrt(dot(&p, x, x));
  if (p.rank == 0)
    printf("%d iterations, norm of the solution %.16e\n", steps, norm);
  free(x);
  free(b);
  part_free(&p);
  MPI_Finalize();
  return 0;
}
