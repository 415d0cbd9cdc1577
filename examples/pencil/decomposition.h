/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A field of nx * ny * nz complex numbers on a grid of ranks, cut along two of its axes and whole along the third: in
 * pencils. Along which axis they lie can be changed: from x to y among the ranks of a row, from y to z among those of a
 * column, and back.
 */
#ifndef DECOMPOSITION_H
#define DECOMPOSITION_H

#include <complex.h>
#include <mpi.h>
#include <stddef.h>

enum { X, Y, Z, AXES };

/* Part of the field: where it begins and how long it is, along each axis. */
typedef struct {
  int first[AXES], size[AXES];
} box;

/* From pencils along one axis to pencils along another. */
typedef struct {
  MPI_Comm comm;
  int ranks;
  size_t sent, received;              /* elements, of this rank */
  box *from, *to;                     /* what of a pencil goes to each rank of comm, and what comes from it */
  int *counts[2], *places[2], *zeros; /* for MPI_Alltoallv: sent and received */
  int *ones;                          /* for MPI_Alltoallw */
  MPI_Datatype *whole[2];
  box pencil[2];
} turn;

typedef struct {
  int n[AXES], rank;
  MPI_Comm grid, row, column;
  box pencil[AXES]; /* of this rank, along each axis */
  turn x_to_y, y_to_z, z_to_y, y_to_x;
} decomposition;

void decomposition_create(decomposition *d, const int n[AXES]);
void decomposition_free(decomposition *d);

size_t box_volume(const box *b);
/* Memory for any of this rank's pencils. */
double complex *pencil_create(const decomposition *d);
/* The element at x, y, z, counted from the pencil's first. */
static inline size_t at(const box *b, int x, int y, int z) { return ((size_t)z * b->size[Y] + y) * b->size[X] + x; }

/* Packs what goes to one rank next to one another, and sends that with MPI_Alltoallv. */
void turn_packed(const turn *t, const double complex *from, double complex *to, double complex *packed[2]);
/* Says where in the pencils it lies, and sends that with MPI_Alltoallw. */
void turn_in_place(const turn *t, const double complex *from, double complex *to);

#endif
