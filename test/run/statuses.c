// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receive counts are capacities; the length comes from the status. Also what statuses must not touch: MPI_ERROR of a
// single completion, a status of a null request, of MPI_PROC_NULL, of a part of an element.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { CAPACITY = 1000 };

static hash_t whole_status(hash_t h, const MPI_Status *status) {
  int elements;
  h = hash_status(hash_status(h, status, MPI_DOUBLE), status, MPI_BYTE);
  MPI_Get_elements(status, MPI_DOUBLE, &elements);
  return hash_number(hash_number(h, elements), status->MPI_ERROR);
}

int main(int argc, char **argv) {
  static const int bytes[] = {0, 8, 12, 800, 7999};
  static char in[CAPACITY * 8], out[CAPACITY * 8];
  int rank, size, k;
  MPI_Request r[2];
  MPI_Status s[2];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (k = 0; k < 5; k++) {
    int from = (rank + 1) % size, to = (rank + size - 1) % size;
    fill_bytes(out, sizeof out, rank * 9 + k);
    MPI_Irecv(in, CAPACITY, MPI_DOUBLE, from, k, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, bytes[k], MPI_BYTE, to, k, MPI_COMM_WORLD, &r[1]);
    s[0].MPI_ERROR = 4711;
    MPI_Wait(&r[0], &s[0]);
    h = hash_bytes(whole_status(h, &s[0]), in, bytes[k]);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);

    s[0].MPI_ERROR = 4712;
    MPI_Wait(&r[0], &s[0]); /* null by now: the empty status */
    h = hash_number(hash_number(h, s[0].MPI_SOURCE == MPI_ANY_SOURCE), s[0].MPI_TAG == MPI_ANY_TAG);
    h = hash_status(h, &s[0], MPI_BYTE);

    MPI_Irecv(in, CAPACITY, MPI_DOUBLE, MPI_PROC_NULL, k, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, bytes[k], MPI_BYTE, MPI_PROC_NULL, k, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, s);
    h = hash_number(hash_number(h, s[0].MPI_SOURCE == MPI_PROC_NULL), s[0].MPI_TAG == MPI_ANY_TAG);
    h = hash_status(h, &s[0], MPI_BYTE);
  }
  report("statuses", h);
  MPI_Finalize();
  return 0;
}
