// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long sums and products of floating-point numbers, some of which are none, infinite or zero of either sign, wherever
// they begin: each element has the bits that C's operator has, whichever operand is no number; where both are, it is
// none. In two accumulates, of which the second has the operation and the datatype of the first.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -w -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s
// CHECK: all right
#include "mpishm.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 700, ROUNDS = 60 };

static unsigned state = 7;
static unsigned draw(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 16) % below;
}

static double value(void) {
  const double odd[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0, -0.0};
  return draw(12) == 0 ? odd[draw(6)] : draw(1000) / 8.0 - 60;
}

/* Elements that are not what they should be. */
#define CHECK_OF(type, mpi_type)                                                                                       \
  static int wrong_##type(MPI_Win win, char *base, int rank, int other, MPI_Op op) {                                   \
    static type into[MOST], from[MOST], got[MOST];                                                                     \
    int count = 1 + draw(MOST), first = draw(count + 1), start = draw(16), wrong = 0, i;                               \
    for (i = 0; i < count; i++)                                                                                        \
      into[i] = value(), from[i] = value();                                                                            \
    MPISHM_Win_fence(0, win);                                                                                          \
    MPISHM_Put(into, count, mpi_type, other, start * sizeof(type), count, mpi_type, win);                              \
    MPISHM_Win_fence(0, win);                                                                                          \
    MPISHM_Accumulate(from, first, mpi_type, other, start * sizeof(type), first, mpi_type, op, win);                   \
    MPISHM_Accumulate(from + first, count - first, mpi_type, other, (start + first) * sizeof(type), count - first,     \
                      mpi_type, op, win);                                                                              \
    MPISHM_Win_fence(0, win);                                                                                          \
    MPISHM_Get(got, count, mpi_type, other, start * sizeof(type), count, mpi_type, win);                               \
    MPISHM_Win_fence(0, win);                                                                                          \
    for (i = 0; i < count; i++) {                                                                                      \
      volatile type a = into[i], b = from[i];                                                                          \
      type r = op == MPI_SUM ? a + b : a * b;                                                                          \
      wrong += isnan(a) && isnan(b) ? !isnan(got[i]) : memcmp(&r, &got[i], sizeof r) != 0;                             \
    }                                                                                                                  \
    return wrong;                                                                                                      \
  }
CHECK_OF(float, MPI_FLOAT)
CHECK_OF(double, MPI_DOUBLE)

int main(int argc, char **argv) {
  int rank, size, round, wrong = 0, all_wrong = 0;
  char *base;
  MPI_Win win;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPISHM_Win_allocate(sizeof(double) * (MOST + 16), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  for (round = 0; round < ROUNDS; round++) {
    MPI_Op op = round % 2 ? MPI_SUM : MPI_PROD;
    wrong += wrong_float(win, base, rank, (rank + 1) % size, op) + wrong_double(win, base, rank, (rank + 1) % size, op);
  }
  MPISHM_Win_free(&win);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all_wrong ? "%d wrong\n" : "all right\n", all_wrong);
  MPI_Finalize();
  return 0;
}
