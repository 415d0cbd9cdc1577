// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Sendrecv_replace round a ring and along a line, with contiguous and scattered data, small and large.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --check-prefix=TEXT < %t/rewritten/sendrecv_replace.c
#include "report.h"

enum { ROWS = 300, COLUMNS = 20 };
static double field[ROWS][COLUMNS]; // mpishm: keep

int main(int argc, char **argv) {
  int rank, size, k;
  MPI_Datatype column;
  MPI_Status s;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_vector(ROWS, 3, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (k = 0; k < ROWS * COLUMNS; k++)
    field[k / COLUMNS][k % COLUMNS] = rank * 10000.0 + k;
  for (k = 0; k < 3; k++) {
    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    // TEXT: MPISHM_Sendrecv_replace(field
    MPI_Sendrecv_replace(field, 10, MPI_DOUBLE, (rank + 1) % size, 1, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &s);
    h = hash_status(h, &s, MPI_DOUBLE);
    MPI_Sendrecv_replace(field, ROWS * COLUMNS, MPI_DOUBLE, (rank + 1) % size, 2, (rank + size - 1) % size, 2,
                         MPI_COMM_WORLD, &s);
    h = hash_status(h, &s, MPI_DOUBLE);
    MPI_Sendrecv_replace(&field[0][4], 1, column, up, 3, down, 3, MPI_COMM_WORLD, &s);
    h = hash_bytes(h, field, sizeof field);
  }
  MPI_Type_free(&column);
  report("sendrecv_replace", h);
  MPI_Finalize();
  return 0;
}
