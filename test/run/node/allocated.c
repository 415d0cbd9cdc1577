// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers from MPI_Alloc_mem, in the window then: kept, made anew for every exchange, more of them than there is room
// for, sent from and received into private memory on the other side.
//
// RUN: %run-both %s --work %t
// RUN: %run-both %s --work %t --again --one-node --env MPISHM_BUFFERS=16M
#include "report.h"

static int rank, size, left, right;

static double *allocate(int n) {
  double *memory;
  MPI_Alloc_mem((MPI_Aint)(n * sizeof(double)), MPI_INFO_NULL, &memory);
  return memory;
}

static hash_t exchange(hash_t h, double *in, const double *out, int n) {
  MPI_Request r[2];
  MPI_Irecv(in, n, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, n, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, n * sizeof(double));
}

static hash_t anew(hash_t h, int seed, int n) {
  double *in = allocate(n), *out = allocate(n);
  fill_bytes(out, n * sizeof(double), seed);
  h = exchange(h, in, out, n);
  MPI_Free_mem(in);
  MPI_Free_mem(out);
  return h;
}

// Even ranks send from the window into private memory, odd ones the other way round.
static hash_t one_side(hash_t h, int seed, int n) {
  double *shared = allocate(n), *own = malloc(n * sizeof(double));
  double *out = rank % 2 ? own : shared, *in = rank % 2 ? shared : own;
  fill_bytes(out, n * sizeof(double), seed);
  h = exchange(h, in, out, n);
  MPI_Free_mem(shared);
  free(own);
  return h;
}

// 32 buffers of 4 MiB: with MPISHM_BUFFERS=16M most of them are private.
static hash_t many(hash_t h, int seed) {
  enum { BUFFERS = 32, N = 1 << 19 };
  double *buffers[BUFFERS];
  for (int i = 0; i < BUFFERS; i++) {
    buffers[i] = allocate(N);
    fill_bytes(buffers[i], 64 * sizeof(double), seed + i);
  }
  for (int i = 0; i < BUFFERS; i++)
    h = exchange(h, buffers[(i + BUFFERS / 2) % BUFFERS], buffers[i], 64);
  for (int i = 0; i < BUFFERS; i++)
    MPI_Free_mem(buffers[i]);
  return h;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  hash_t h = HASH_START;
  const int sizes[] = {1, 6, 100, 1000, 30000};
  for (int i = 0; i < 5; i++) {
    h = anew(h, rank + 10 * i, sizes[i]);
    h = one_side(h, rank + 20 * i, sizes[i]);
  }
  h = many(h, rank);
  report("allocated", h);
  MPI_Finalize();
  return 0;
}
