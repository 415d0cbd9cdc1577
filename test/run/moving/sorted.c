// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message buffers that qsort sorts and bsearch searches, and pointers to them that it sorts.
//
// RUN: %run-both %s --work %t --ranks 4 --ragged --moves 1
#define _GNU_SOURCE
#include "report.h"

enum { LENGTH = 3000, BUFFERS = 4 };

static int by_value(const void *a, const void *b) {
  const int *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static int by_first(const void *a, const void *b) { return by_value(*(int *const *)a, *(int *const *)b); }

static int turned(const void *a, const void *b, void *sign) { return *(int *)sign * by_value(a, b); }

int main(int argc, char **argv) {
  int rank, size, sign = -1, *buffers[BUFFERS], *found;
  hash_t hash = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < BUFFERS; i++) {
    buffers[i] = malloc(LENGTH * sizeof(int));
    for (int k = 0; k < LENGTH; k++)
      buffers[i][k] = (7919 * k + 31 * i + 17 * rank) % 1009;
  }
  for (int step = 0; step < 3; step++) {
    int *out, *in;
    qsort(buffers, BUFFERS, sizeof *buffers, by_first);
    out = buffers[0], in = buffers[BUFFERS - 1];
    qsort(out, LENGTH, sizeof *out, by_value);
    MPI_Sendrecv(out, LENGTH, MPI_INT, (rank + 1) % size, step, in, LENGTH, MPI_INT, (rank + size - 1) % size, step,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    found = bsearch(&in[LENGTH / 2], in, LENGTH, sizeof *in, by_value);
    hash = hash_number(hash, *found);
    hash = hash_bytes(hash, in, LENGTH * sizeof *in);
    qsort_r(in, LENGTH, sizeof *in, turned, &sign);
    hash = hash_bytes(hash, in, LENGTH * sizeof *in);
    out[0] = step;
  }
  report("sorted", hash);
  for (int i = 0; i < BUFFERS; i++)
    free(buffers[i]);
  MPI_Finalize();
  return 0;
}
