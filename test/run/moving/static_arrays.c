// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static arrays of functions, of which there is one each: called again and again, by one another, before MPI_Init and
// in functions of a header that several may have. Where there may be several by one name, as in an inline function with
// external linkage, they stay.
//
// RUN: %run-both %s --work %t --ragged --moves 6
// RUN: %run-both %s --work %t.none --one-node --flags "-O0 -fPIE -pie"
// RUN: %run-both %s --work %t.all --one-node --flags "-O2 -flto -ffunction-sections -Wl,--gc-sections"
#include "report.h"

enum { N = 3000 };
static int rank, size, left, right;

static hash_t turn(hash_t h, const void *out, void *in, int bytes) {
  MPI_Request r[2];
  MPI_Irecv(in, bytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, bytes, MPI_BYTE, right, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, bytes);
}

static hash_t again(hash_t h, int depth) {
  static double out[N] = {1, 2}, in[N];
  for (int i = depth; i < N; i++)
    out[i] = rank + i;
  h = turn(hash_bytes(h, out, 4 * sizeof *out), out, in, sizeof out);
  return depth > 0 ? again(h, depth - 1) : h;
}

static inline double *kept(int change) {
  static double values[N] = {7};
  values[change] = change;
  return values;
}

static hash_t chosen(hash_t h, int which) {
  switch (which) {
  case 0: {
    static int data[N];
    data[3] = which + rank;
    return turn(h, data, data + N / 2, sizeof data / 2);
  }
  default:
    if (which > 1) {
      static int data[N], more[N];
      data[4] = which - rank;
      return turn(h, data, more, sizeof data);
    }
  }
  return h;
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  kept(2);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  for (int step = 0; step < 4; step++) {
    h = again(h, step);
    h = turn(h, kept(step), kept(0) + N / 2, N / 2 * sizeof(double));
    h = chosen(h, step);
  }
  report("static_arrays", h);
  MPI_Finalize();
  return 0;
}
