/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * fft - the Fourier transform of a field, and back, by FFTW along whichever axis is whole in a pencil.
 *
 *   mpiexec -n P fft [-n NX NY NZ] [-packed] [-times]
 */
#include "decomposition.h"

#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n[AXES], packed, times;
} options;

static int options_read(options *o, int argc, char **argv) {
  int i, k;
  *o = (options){{16, 12, 10}, 0, 0};
  for (i = 1; i < argc; i++)
    if (!strcmp(argv[i], "-times"))
      o->times = 1;
    else if (!strcmp(argv[i], "-packed"))
      o->packed = 1;
    else if (!strcmp(argv[i], "-n") && i + AXES < argc)
      for (k = 0; k < AXES; k++)
        o->n[k] = atoi(argv[++i]);
    else
      return -1;
  return o->n[X] > 0 && o->n[Y] > 0 && o->n[Z] > 0 ? 0 : -1;
}

/* Transforms all lines of a pencil along the axis that is whole. */
static void transform(const box *b, int axis, double complex *field, int sign) {
  int n[] = {b->size[axis]}, z;
  int step = axis == X ? 1 : axis == Y ? b->size[X] : b->size[X] * b->size[Y];
  int lines = axis == X ? b->size[Y] : b->size[X], apart = axis == X ? b->size[X] : 1;
  int layers = axis == Z ? b->size[Y] : b->size[Z], layer = axis == Z ? b->size[X] : b->size[X] * b->size[Y];
  fftw_plan plan;
  if (box_volume(b) == 0)
    return;
  plan = fftw_plan_many_dft(1, n, lines, field, NULL, step, apart, field, NULL, step, apart, sign,
                            FFTW_ESTIMATE | FFTW_UNALIGNED);
  for (z = 0; z < layers; z++)
    fftw_execute_dft(plan, field + (size_t)z * layer, field + (size_t)z * layer);
  fftw_destroy_plan(plan);
}

typedef struct {
  const decomposition *d;
  double complex *field, *turned, *packed[2];
  int is_packed;
} work;

static void turn_field(work *w, const turn *t) {
  double complex *field = w->field;
  if (w->is_packed)
    turn_packed(t, w->field, w->turned, w->packed);
  else
    turn_in_place(t, w->field, w->turned);
  w->field = w->turned;
  w->turned = field;
}

/* From x pencils to z pencils. */
static void forward(work *w) {
  transform(&w->d->pencil[X], X, w->field, FFTW_FORWARD);
  turn_field(w, &w->d->x_to_y);
  transform(&w->d->pencil[Y], Y, w->field, FFTW_FORWARD);
  turn_field(w, &w->d->y_to_z);
  transform(&w->d->pencil[Z], Z, w->field, FFTW_FORWARD);
}

/* From z pencils to x pencils; the field is then as many times larger as it has elements. */
static void backward(work *w) {
  transform(&w->d->pencil[Z], Z, w->field, FFTW_BACKWARD);
  turn_field(w, &w->d->z_to_y);
  transform(&w->d->pencil[Y], Y, w->field, FFTW_BACKWARD);
  turn_field(w, &w->d->y_to_x);
  transform(&w->d->pencil[X], X, w->field, FFTW_BACKWARD);
}

/* A wave that goes 1, 2 and 3 times through the field along its axes, and a smaller one. */
static double complex wave(const int n[AXES], int x, int y, int z) {
  double phase = 2 * acos(-1) * (1.0 * x / n[X] + 2.0 * y / n[Y] + 3.0 * z / n[Z]);
  return cexp(I * phase) + 0.25 * cexp(-2 * I * phase);
}

static void fill(const decomposition *d, double complex *field) {
  const box *b = &d->pencil[X];
  int x, y, z;
  for (z = 0; z < b->size[Z]; z++)
    for (y = 0; y < b->size[Y]; y++)
      for (x = 0; x < b->size[X]; x++)
        field[at(b, x, y, z)] = wave(d->n, x, b->first[Y] + y, b->first[Z] + z);
}

/* Says where the largest amplitude of the spectrum is. */
static void report_spectrum(const work *w, double points) {
  const box *b = &w->d->pencil[Z];
  struct {
    double amplitude;
    int where;
  } mine = {-1, 0}, largest;
  int x, y, z;
  for (z = 0; z < b->size[Z]; z++)
    for (y = 0; y < b->size[Y]; y++)
      for (x = 0; x < b->size[X]; x++)
        if (cabs(w->field[at(b, x, y, z)]) > mine.amplitude) {
          mine.amplitude = cabs(w->field[at(b, x, y, z)]);
          mine.where = ((b->first[Z] + z) * w->d->n[Y] + b->first[Y] + y) * w->d->n[X] + b->first[X] + x;
        }
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, w->d->grid);
  if (w->d->rank == 0)
    printf("largest amplitude %.12f at %d %d %d\n", largest.amplitude / points, largest.where % w->d->n[X],
           largest.where / w->d->n[X] % w->d->n[Y], largest.where / (w->d->n[X] * w->d->n[Y]));
}

static void report_error(const work *w, double points) {
  const box *b = &w->d->pencil[X];
  double mine = 0, error;
  int x, y, z;
  for (z = 0; z < b->size[Z]; z++)
    for (y = 0; y < b->size[Y]; y++)
      for (x = 0; x < b->size[X]; x++)
        mine = fmax(mine, cabs(w->field[at(b, x, y, z)] / points - wave(w->d->n, x, b->first[Y] + y, b->first[Z] + z)));
  MPI_Allreduce(&mine, &error, 1, MPI_DOUBLE, MPI_MAX, w->d->grid);
  if (w->d->rank == 0)
    printf("there and back: %s\n", error < 1e-12 ? "the same" : "something else");
}

int main(int argc, char **argv) {
  options o;
  decomposition d;
  work w;
  double points, start;
  MPI_Init(&argc, &argv);
  if (options_read(&o, argc, argv)) {
    fprintf(stderr, "usage: fft [-n NX NY NZ] [-packed] [-times]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  decomposition_create(&d, o.n);
  points = (double)o.n[X] * o.n[Y] * o.n[Z];
  w = (work){&d, pencil_create(&d), pencil_create(&d), {pencil_create(&d), pencil_create(&d)}, o.packed};
  fill(&d, w.field);
  MPI_Barrier(d.grid);
  start = MPI_Wtime();
  forward(&w);
  report_spectrum(&w, points);
  backward(&w);
  MPI_Barrier(d.grid);
  if (d.rank == 0 && o.times)
    fprintf(stderr, "%.3e seconds there and back\n", MPI_Wtime() - start);
  report_error(&w, points);
  free(w.field);
  free(w.turned);
  free(w.packed[0]);
  free(w.packed[1]);
  decomposition_free(&d);
  MPI_Finalize();
  return 0;
}
