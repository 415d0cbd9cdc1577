// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function of the program allocates its grid, its message buffers and all else. Of its calls those that make
// message buffers are put into calls of MPISHM_To_window: by itself, through a function with another type, in a macro,
// with an allocation among its arguments, in every exchange, for nothing, left by a jump. What a
// comment keeps, and what stands in the argument of another macro, stays.
//
// RUN: %run-both %s --work %t --moves 7
// RUN: %run-both %s --work %t --again --one-node --env MPISHM_BUFFERS=256K
// RUN: FileCheck %s --input-file=%t/rewritten/at_calls.c --check-prefix=TEXT
#include "report.h"
#include <assert.h>
#include <setjmp.h>

// TEXT: {{^}}  void *memory = malloc(bytes);
// TEXT: {{^}}static void give(void *memory) { MPISHM_{{Free}}(memory); }
// TEXT: {{^}}  double *grid = NEW(double, n *n);
// TEXT: {{^}}  double *out = MPISHM_TO_WINDOW{{\(}}NEW(double, n)), *in = MPISHM_TO_WINDOW{{\(}}row(n));

static int rank, size, left, right, allocations;
static jmp_buf too_much;

static void *take(size_t bytes, const char *file, int line) {
  if (bytes == 0)
    return NULL;
  if (bytes > 100000000)
    longjmp(too_much, 1);
  void *memory = malloc(bytes);
  if (memory == NULL) {
    fprintf(stderr, "%s:%d: out of memory\n", file, line);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  allocations++;
  return memory;
}
static void *take_more(void *memory, size_t bytes) {
  memory = realloc(memory, bytes);
  if (memory == NULL)
    abort();
  return memory;
}
static void give(void *memory) { free(memory); }
static double *row(int n) { return (double *)take(n * sizeof(double), __FILE__, __LINE__); }
#define NEW(type, n) ((type *)take((n) * sizeof(type), __FILE__, __LINE__))
#define CHECKED(p) ((p) != NULL ? (void)0 : abort())

static int length(int *counts, int n) {
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += counts[i] = n / 4;
  give(counts);
  return sum;
}

static hash_t exchange(hash_t h, double *in, const double *out, int n) {
  MPI_Request r[2];
  MPI_Irecv(in, n, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, n, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, n * sizeof(double));
}

static hash_t stencil(hash_t h, int n) {
  double *grid = NEW(double, n *n);
  double *out = NEW(double, n), *in = row(n);
  for (int i = 0; i < n * n; i++)
    grid[i] = i % 17 + rank;
  for (int step = 0; step < 3; step++) {
    for (int i = 1; i + 1 < n * n; i++)
      grid[i] = 0.5 * (grid[i - 1] + grid[i + 1]);
    for (int i = 0; i < n; i++)
      out[i] = grid[i * n];
    h = exchange(h, in, out, n);
    for (int i = 0; i < n; i++)
      grid[i * n] = in[i];
  }
  give(grid);
  give(out);
  give(in);
  return h;
}

// Its lines are those of the original: __LINE__ among the arguments is the same.
static hash_t every_step(hash_t h, int step) {
  int n = 4 << (4 * step);
  double *out = take(length(take(4 * sizeof(int), __FILE__, __LINE__), n) * sizeof(double), __FILE__, __LINE__);
  double *in = (double *)take(n * sizeof *in, __FILE__, __LINE__);
  double *nothing = take(0, __FILE__, __LINE__), *kept = row(n) /* mpishm: keep */, *tested;
  CHECKED(tested = row(n));
  fill_bytes(out, n * sizeof(double), step + rank);
  fill_bytes(kept, n * sizeof(double), step - rank);
  h = exchange(h, in, out, n);
  h = exchange(h, tested, kept, n);
  h = exchange(h, nothing, nothing, 0);
  give(in);
  give(out);
  give(nothing);
  give(kept);
  give(tested);
  return h;
}

// What lies in resized memory, under another name: rows that are given back through it.
static hash_t resized(hash_t h) {
  double **few = take(2 * sizeof *few, __FILE__, __LINE__), **many;
  few[0] = row(5000);
  few[1] = row(5000);
  many = take_more(few, 3 * sizeof *many);
  many[2] = NULL;
  fill_bytes(many[0], 5000 * sizeof(double), rank);
  h = exchange(h, many[1], many[0], 5000);
  for (int i = 0; i < 3; i++)
    free(many[i]);
  give(many);
  return h;
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  volatile int jumps = 0;
  double *volatile huge = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  if (setjmp(too_much) == 0) {
    huge = take((size_t)1 << 40, __FILE__, __LINE__);
    exchange(h, huge, huge, 100);
  } else {
    jumps++;
  }
  h = stencil(h, 200);
  for (int step = 0; step < 4; step++)
    h = every_step(h, step);
  h = resized(h);
  report("moved", h);
  report("jumps", jumps + allocations);
  return MPI_Finalize();
}
