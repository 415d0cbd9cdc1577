/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "decomposition.h"

#include <string.h>

static void pack(const box *pencil, const box *part, const double complex *from, double complex *to) {
  int y, z;
  for (z = 0; z < part->size[Z]; z++)
    for (y = 0; y < part->size[Y]; y++, to += part->size[X])
      memcpy(to, &from[at(pencil, part->first[X], part->first[Y] + y, part->first[Z] + z)], part->size[X] * sizeof *to);
}

static void unpack(const box *pencil, const box *part, const double complex *from, double complex *to) {
  int y, z;
  for (z = 0; z < part->size[Z]; z++)
    for (y = 0; y < part->size[Y]; y++, from += part->size[X])
      memcpy(&to[at(pencil, part->first[X], part->first[Y] + y, part->first[Z] + z)], from,
             part->size[X] * sizeof *from);
}

void turn_packed(const turn *t, const double complex *from, double complex *to, double complex *packed[2]) {
  int i;
  for (i = 0; i < t->ranks; i++)
    pack(&t->pencil[0], &t->from[i], from, packed[0] + t->places[0][i]);
  MPI_Alltoallv(packed[0], t->counts[0], t->places[0], MPI_C_DOUBLE_COMPLEX, packed[1], t->counts[1], t->places[1],
                MPI_C_DOUBLE_COMPLEX, t->comm);
  for (i = 0; i < t->ranks; i++)
    unpack(&t->pencil[1], &t->to[i], packed[1] + t->places[1][i], to);
}

void turn_in_place(const turn *t, const double complex *from, double complex *to) {
  MPI_Alltoallw(from, t->ones, t->zeros, t->whole[0], to, t->ones, t->zeros, t->whole[1], t->comm);
}
