// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives whose buffers move into the window: in place, scattered on both sides, resized between two calls, from an
// allocating function of the program's.
//
// RUN: %run-both %s --work %t --moves 4
#include "report.h"
#include <mpi.h>
#include <stdlib.h>

enum { SIDE = 48 };

static hash_t hash = HASH_START;

static double *make(int count) { return malloc(sizeof(double) * (size_t)count); }

static void columns_to_rows(int rank, int size) {
  int share = SIDE / size, ones[4], nowhere[4] = {0}, all[] = {SIDE, SIDE};
  double *field = make(SIDE * SIDE), *turned = make(SIDE * SIDE);
  MPI_Datatype out[4], in[4];
  for (int i = 0; i < size; i++) {
    int part[] = {share, share}, from[] = {rank * share, i * share}, to[] = {i * share, rank * share};
    ones[i] = 1;
    MPI_Type_create_subarray(2, all, part, from, MPI_ORDER_C, MPI_DOUBLE, &out[i]);
    MPI_Type_create_subarray(2, all, part, to, MPI_ORDER_C, MPI_DOUBLE, &in[i]);
    MPI_Type_commit(&out[i]);
    MPI_Type_commit(&in[i]);
  }
  for (int step = 0; step < 5; step++) {
    fill_bytes(field, sizeof(double) * SIDE * SIDE, rank + step);
    fill_bytes(turned, sizeof(double) * SIDE * SIDE, 3);
    MPI_Alltoallw(field, ones, nowhere, out, turned, ones, nowhere, in, MPI_COMM_WORLD);
    hash = hash_bytes(hash, turned, sizeof(double) * SIDE * SIDE);
  }
  for (int i = 0; i < size; i++) {
    MPI_Type_free(&out[i]);
    MPI_Type_free(&in[i]);
  }
  free(field);
  free(turned);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  columns_to_rows(rank, size);
  double *all = make(size);
  for (int count = 1; count < 40000; count *= 5) {
    size_t bytes = sizeof(double) * (size_t)(count * size);
    all = realloc(all, bytes);
    fill_bytes(all, bytes, rank);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_DOUBLE, MPI_COMM_WORLD);
    hash = hash_bytes(hash, all, bytes);
    fill_bytes(all, bytes, rank);
    MPI_Bcast(all, count * size, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    hash = hash_bytes(hash, all, bytes);
    double *rest = make(count * size);
    fill_bytes(rest, bytes, 1);
    MPI_Gather(all, count, MPI_DOUBLE, rest, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Alltoall(rest, count, MPI_DOUBLE, all, count, MPI_DOUBLE, MPI_COMM_WORLD);
    hash = hash_bytes(hash, rest, bytes);
    hash = hash_bytes(hash, all, bytes);
    free(rest);
  }
  free(all);
  report("collectives", hash);
  return MPI_Finalize();
}
