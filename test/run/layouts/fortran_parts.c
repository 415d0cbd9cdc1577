// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Datatypes that are made of Fortran's kinds, which MPI makes and nobody may free.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"

enum { N = 40 };

int main(int argc, char **argv) {
  int rank, size, k;
  double in[3 * N], out[3 * N];
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fill_bytes(out, sizeof out, rank);
  for (k = 0; k < 3; k++) {
    int other = (rank + 1) % size, bytes;
    MPI_Datatype kind, type;
    MPI_Status s;
    memset(in, 0x4d, sizeof in);
    if (k == 0)
      MPI_Type_create_f90_real(15, MPI_UNDEFINED, &kind);
    else if (k == 1)
      MPI_Type_create_f90_integer(5, &kind);
    else
      MPI_Type_create_f90_complex(6, 30, &kind);
    MPI_Type_vector(N / 2, 1, 2, kind, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &bytes);
    MPI_Sendrecv(out, 1, type, other, 1, in, 1, type, other, 1, MPI_COMM_WORLD, &s);
    h = hash_bytes(hash_status(h, &s, kind), in, sizeof in);
    MPI_Sendrecv(out, 3, kind, other, 2, in, 3, kind, other, 2, MPI_COMM_WORLD, &s);
    h = hash_bytes(hash_status(hash_number(h, bytes), &s, kind), in, sizeof in);
    MPI_Type_free(&type);
  }
  report("fortran parts", h);
  MPI_Finalize();
  return 0;
}
