/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "decomposition.h"

#include <stdlib.h>

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

/* Part i of n points cut into `parts` ones that need not be equal. */
static void cut(int n, int parts, int i, int *first, int *size) {
  *first = (int)((long)n * i / parts);
  *size = (int)((long)n * (i + 1) / parts) - *first;
}

size_t box_volume(const box *b) { return (size_t)b->size[X] * b->size[Y] * b->size[Z]; }

/* This rank's pencil along an axis: of the other two, x is cut among the ranks of a row and z among those of a column;
 * y among those among which the third is not. */
static box pencil_along(const int n[AXES], int axis, const int dims[2], const int coordinates[2]) {
  box b;
  int i, among;
  for (i = 0; i < AXES; i++) {
    among = i == X || (i == Y && axis == X); /* dimension 1 of the grid counts the ranks of a row */
    if (i == axis)
      cut(n[i], 1, 0, &b.first[i], &b.size[i]);
    else
      cut(n[i], dims[among], coordinates[among], &b.first[i], &b.size[i]);
  }
  return b;
}

/* What pencils along `axis` share with part i of another axis, counted from the pencil's first element. */
static box share(const box *pencil, int axis, int n, int parts, int i) {
  box b = *pencil;
  int k;
  for (k = 0; k < AXES; k++)
    b.first[k] = 0;
  cut(n, parts, i, &b.first[axis], &b.size[axis]);
  return b;
}

static MPI_Datatype datatype_of(const box *part, const box *pencil) {
  int sizes[AXES], parts[AXES], starts[AXES], k;
  MPI_Datatype datatype;
  if (box_volume(part) == 0)
    MPI_Type_contiguous(0, MPI_C_DOUBLE_COMPLEX, &datatype);
  else {
    for (k = 0; k < AXES; k++) { /* the last is the one whose elements are next to one another */
      sizes[AXES - 1 - k] = pencil->size[k];
      parts[AXES - 1 - k] = part->size[k];
      starts[AXES - 1 - k] = part->first[k];
    }
    MPI_Type_create_subarray(AXES, sizes, parts, starts, MPI_ORDER_C, MPI_C_DOUBLE_COMPLEX, &datatype);
  }
  MPI_Type_commit(&datatype);
  return datatype;
}

static void turn_create(turn *t, MPI_Comm comm, const decomposition *d, int from, int to) {
  int i, side;
  size_t done[2] = {0, 0};
  t->comm = comm;
  MPI_Comm_size(comm, &t->ranks);
  t->pencil[0] = d->pencil[from];
  t->pencil[1] = d->pencil[to];
  t->sent = box_volume(&t->pencil[0]);
  t->received = box_volume(&t->pencil[1]);
  t->from = allocate(t->ranks, sizeof(box));
  t->to = allocate(t->ranks, sizeof(box));
  t->ones = allocate(t->ranks, sizeof(int));
  t->zeros = allocate(t->ranks, sizeof(int));
  for (side = 0; side < 2; side++) {
    t->counts[side] = allocate(t->ranks, sizeof(int));
    t->places[side] = allocate(t->ranks, sizeof(int));
    t->whole[side] = allocate(t->ranks, sizeof(MPI_Datatype));
  }
  for (i = 0; i < t->ranks; i++) {
    t->ones[i] = 1;
    t->from[i] = share(&t->pencil[0], from, d->n[from], t->ranks, i);
    t->to[i] = share(&t->pencil[1], to, d->n[to], t->ranks, i);
    for (side = 0; side < 2; side++) {
      const box *part = side == 0 ? &t->from[i] : &t->to[i];
      t->counts[side][i] = (int)box_volume(part);
      t->places[side][i] = (int)done[side];
      t->whole[side][i] = datatype_of(part, &t->pencil[side]);
      done[side] += box_volume(part);
    }
  }
}

static void turn_free(turn *t) {
  int i, side;
  for (side = 0; side < 2; side++) {
    for (i = 0; i < t->ranks; i++)
      MPI_Type_free(&t->whole[side][i]);
    free(t->whole[side]);
    free(t->counts[side]);
    free(t->places[side]);
  }
  free(t->from);
  free(t->to);
  free(t->ones);
  free(t->zeros);
}

void decomposition_create(decomposition *d, const int n[AXES]) {
  int ranks, dims[2] = {0, 0}, periods[2] = {0, 0}, coordinates[2], axis;
  int along_row[2] = {0, 1}, along_column[2] = {1, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &d->grid);
  MPI_Comm_rank(d->grid, &d->rank);
  MPI_Cart_coords(d->grid, d->rank, 2, coordinates);
  MPI_Cart_sub(d->grid, along_row, &d->row);
  MPI_Cart_sub(d->grid, along_column, &d->column);
  for (axis = 0; axis < AXES; axis++) {
    d->n[axis] = n[axis];
    d->pencil[axis] = pencil_along(n, axis, dims, coordinates);
  }
  turn_create(&d->x_to_y, d->row, d, X, Y);
  turn_create(&d->y_to_z, d->column, d, Y, Z);
  turn_create(&d->z_to_y, d->column, d, Z, Y);
  turn_create(&d->y_to_x, d->row, d, Y, X);
}

void decomposition_free(decomposition *d) {
  turn_free(&d->x_to_y);
  turn_free(&d->y_to_z);
  turn_free(&d->z_to_y);
  turn_free(&d->y_to_x);
  MPI_Comm_free(&d->row);
  MPI_Comm_free(&d->column);
  MPI_Comm_free(&d->grid);
}

double complex *pencil_create(const decomposition *d) {
  size_t most = 0;
  int axis;
  for (axis = 0; axis < AXES; axis++)
    if (box_volume(&d->pencil[axis]) > most)
      most = box_volume(&d->pencil[axis]);
  return allocate(most, sizeof(double complex));
}
