/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * pencil - turns a field from x to y to z pencils and back, as codes do that work along one axis after the other.
 *
 *   mpiexec -n P pencil [-n NX NY NZ] [-repeat N] [-times]
 *
 * Twice: packing what goes to each rank, for MPI_Alltoallv, and leaving that to datatypes, for MPI_Alltoallw. Between
 * two turns each line of the field is smoothed along the axis that is whole. (The way of turning is that of the library
 * 2DECOMP&FFT.)
 *
 * - decomposition.c: which rank has what
 * - turn.c: the exchange
 */
#include "decomposition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n[AXES], repeat, times;
} options;

static int options_read(options *o, int argc, char **argv) {
  int i, k;
  *o = (options){{30, 20, 17}, 2, 0};
  for (i = 1; i < argc; i++)
    if (!strcmp(argv[i], "-times"))
      o->times = 1;
    else if (!strcmp(argv[i], "-repeat") && i + 1 < argc)
      o->repeat = atoi(argv[++i]);
    else if (!strcmp(argv[i], "-n") && i + AXES < argc)
      for (k = 0; k < AXES; k++)
        o->n[k] = atoi(argv[++i]);
    else
      return -1;
  return o->n[X] > 0 && o->n[Y] > 0 && o->n[Z] > 0 && o->repeat > 0 ? 0 : -1;
}

static void fill(const box *b, double complex *field) {
  int x, y, z;
  for (z = 0; z < b->size[Z]; z++)
    for (y = 0; y < b->size[Y]; y++)
      for (x = 0; x < b->size[X]; x++) {
        double a = b->first[X] + x, c = b->first[Y] + y, e = b->first[Z] + z;
        field[at(b, x, y, z)] = sin(0.3 * a + 0.5 * c * c) + e * I / (1 + a);
      }
}

/* Each element and the next one of its line half and half. */
static void smooth(const box *b, int axis, double complex *field) {
  size_t step = axis == X ? at(b, 1, 0, 0) : axis == Y ? at(b, 0, 1, 0) : at(b, 0, 0, 1), i;
  int x, y, z;
  for (z = 0; z < b->size[Z] - (axis == Z); z++)
    for (y = 0; y < b->size[Y] - (axis == Y); y++)
      for (x = 0; x < b->size[X] - (axis == X); x++) {
        i = at(b, x, y, z);
        field[i] = 0.5 * field[i] + 0.5 * field[i + step];
      }
}

/* Of every element and where it is. */
static double checksum(const decomposition *d, int axis, const double complex *field) {
  const box *b = &d->pencil[axis];
  double mine = 0, sum = 0;
  int x, y, z;
  for (z = 0; z < b->size[Z]; z++)
    for (y = 0; y < b->size[Y]; y++)
      for (x = 0; x < b->size[X]; x++) {
        int weight = (b->first[X] + x) * 3 + (b->first[Y] + y) * 5 + (b->first[Z] + z) * 7;
        double complex value = field[at(b, x, y, z)];
        mine += (weight % 11) * creal(value) - (weight % 13) * cimag(value);
      }
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, d->grid);
  return sum;
}

/* Where a field is, what it is turned to, and what it is packed in. */
typedef struct {
  double complex *field, *turned, *packed[2];
} memory;

enum { PACKED, IN_PLACE, WAYS };
static const char *const names[WAYS] = {"packed", "in place"};

static double timed_turn(const turn *t, int way, memory *m) {
  double complex *field = m->field;
  double start;
  MPI_Barrier(t->comm);
  start = MPI_Wtime();
  if (way == PACKED)
    turn_packed(t, m->field, m->turned, m->packed);
  else
    turn_in_place(t, m->field, m->turned);
  m->field = m->turned;
  m->turned = field;
  return MPI_Wtime() - start;
}

static void there_and_back(const decomposition *d, int way, const options *o, memory *m) {
  const turn *turns[] = {&d->x_to_y, &d->y_to_z, &d->z_to_y, &d->y_to_x};
  static const int along[] = {X, Y, Z, Y, X};
  double seconds = 0, sum;
  int round, i;
  fill(&d->pencil[X], m->field);
  for (round = 0; round < o->repeat; round++)
    for (i = 0; i < 4; i++) {
      smooth(&d->pencil[along[i]], along[i], m->field);
      seconds += timed_turn(turns[i], way, m);
      sum = checksum(d, along[i + 1], m->field);
      if (d->rank == 0)
        printf("%s, to %c: %.15e\n", names[way], "xyz"[along[i + 1]], sum);
    }
  if (d->rank == 0 && o->times)
    fprintf(stderr, "%s: %.3e seconds a turn\n", names[way], seconds / (4.0 * o->repeat));
}

int main(int argc, char **argv) {
  options o;
  decomposition d;
  memory m;
  int way;

  MPI_Init(&argc, &argv);
  if (options_read(&o, argc, argv)) {
    fprintf(stderr, "usage: pencil [-n NX NY NZ] [-repeat N] [-times]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  decomposition_create(&d, o.n);
  m = (memory){pencil_create(&d), pencil_create(&d), {pencil_create(&d), pencil_create(&d)}};
  for (way = 0; way < WAYS; way++)
    there_and_back(&d, way, &o, &m);
  free(m.field);
  free(m.turned);
  free(m.packed[0]);
  free(m.packed[1]);
  decomposition_free(&d);
  MPI_Finalize();
  return 0;
}
