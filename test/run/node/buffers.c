// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where buffers live: malloc and free in every exchange, realloc between exchanges, the stack of a function that posts
// and waits, static arrays, several buffers in one allocation, parts of one array on both sides, read-only memory.
//
// RUN: %run-both %s --work %t
// RUN: timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out1
// RUN: env MPISHM_STAGE=0 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out2
// RUN: diff %t/out1 %t/out2
#include "report.h"

static int rank, size, left, right;
static double fixed[4][600]; // mpishm: keep
static const double constant[600] = {3.25, -1, 7};

static hash_t swap(hash_t h, double *in_left, double *in_right, const double *out_left, const double *out_right, int n) {
  MPI_Request r[4];
  MPI_Irecv(in_left, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(in_right, n, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(out_left, n, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(out_right, n, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[3]);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  h = hash_bytes(h, in_left, n * sizeof(double));
  return hash_bytes(h, in_right, n * sizeof(double));
}

static hash_t on_the_stack(hash_t h, int seed) {
  double buffer[4][600];
  fill_bytes(buffer[2], sizeof buffer[2], seed);
  fill_bytes(buffer[3], sizeof buffer[3], seed + 1);
  return swap(h, buffer[0], buffer[1], buffer[2], buffer[3], 600);
}

static hash_t short_lived(hash_t h, int seed, int n) {
  double *in = malloc(n * sizeof(double)), *more = malloc(n * sizeof(double)), *out = malloc(n * sizeof(double));
  fill_bytes(out, n * sizeof(double), seed);
  h = swap(h, in, more, out, out, n);
  free(in);
  free(more);
  free(out);
  return h;
}

int main(int argc, char **argv) {
  double *growing = NULL;
  hash_t h = HASH_START;
  int step;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  for (step = 0; step < 5; step++) {
    int n = 100 << (2 * step);
    h = on_the_stack(h, rank * 10 + step);
    h = short_lived(h, rank * 20 + step, n);
    growing = realloc(growing, 4 * n * sizeof(double));
    fill_bytes(growing, 4 * n * sizeof(double), rank * 30 + step);
    h = swap(h, growing, growing + n, growing + 2 * n, growing + 3 * n, n);
    fill_bytes(fixed, sizeof fixed, rank * 40 + step);
    h = swap(h, fixed[0], fixed[1], fixed[2], fixed[3], 600);
    h = swap(h, fixed[0], fixed[1], constant, fixed[0] + 0 * step, 0);
    h = swap(h, fixed[0], fixed[1], constant, constant, 600);
  }
  free(growing);
  report("buffers", h);
  MPI_Finalize();
  return 0;
}
