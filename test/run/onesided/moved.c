// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool moves the memory that windows are made of, which functions of the program allocate, make longer between two
// windows, and give back; one is a message's buffer, too. (Two windows of one piece of memory MPICH 4.0.2 takes for one
// another.)
//
// RUN: %run-both %s --work %t --moves 3
// RUN: %run-both %s --work %t --again --ranks 3 --ragged
#include "report.h"

enum { N = 40, STEPS = 3 };

static int rank, size;

static char *take(size_t bytes) {
  char *memory = malloc(bytes);
  memset(memory, 0, bytes);
  return memory;
}

static hash_t put_around(hash_t h, char *memory, int bytes, MPI_Win win) {
  char out[N];
  MPI_Win_fence(0, win);
  for (int from = 0; from + N <= bytes; from += N) {
    fill_bytes(out, N, rank + from);
    MPI_Put(out, N, MPI_CHAR, (rank + 1) % size, from, N, MPI_CHAR, win);
    MPI_Win_fence(0, win);
  }
  return hash_bytes(h, memory, (size_t)bytes);
}

int main(int argc, char **argv) {
  char *memory, *both;
  MPI_Win win;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  memory = take(N);
  for (int step = 1; step <= STEPS; step++) {
    MPI_Win_create(memory, step * N, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    h = put_around(h, memory, step * N, win);
    MPI_Win_free(&win);
    memory = realloc(memory, (size_t)(step + 1) * N);
  }
  free(memory);

  both = take(2 * N);
  MPI_Win_create(both, 2 * N, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  h = put_around(h, both, 2 * N, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Sendrecv_replace(both, N, MPI_CHAR, (rank + 1) % size, 3, (rank + size - 1) % size, 3, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  h = hash_bytes(h, both, 2 * N);
  report("moved", h);
  MPI_Win_free(&win);
  free(both);
  MPI_Finalize();
  return 0;
}
