// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receive counts are capacities; the length comes from the status. Also what statuses must not touch: MPI_ERROR of a
// single completion, a status of a null request, of MPI_PROC_NULL, of a part of a datatype.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { CAPACITY = 1000 };

static hash_t whole_status(hash_t h, const MPI_Status *status, MPI_Datatype pair) {
  int elements;
  h = hash_status(hash_status(h, status, pair), status, MPI_INT);
  MPI_Get_elements(status, pair, &elements);
  return hash_number(hash_number(h, elements), status->MPI_ERROR);
}

int main(int argc, char **argv) {
  static const int lengths[] = {0, 2, 3, 200, 1999};
  static int in[CAPACITY * 2], out[CAPACITY * 2];
  MPI_Datatype pair;
  int rank, size, k;
  MPI_Request r[2];
  MPI_Status s[2];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (k = 0; k < 5; k++) {
    int from = (rank + 1) % size, to = (rank + size - 1) % size;
    fill_bytes(out, sizeof out, rank * 9 + k);
    MPI_Irecv(in, CAPACITY, pair, from, k, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, lengths[k], MPI_INT, to, k, MPI_COMM_WORLD, &r[1]);
    s[0].MPI_ERROR = 4711;
    MPI_Wait(&r[0], &s[0]);
    h = hash_bytes(whole_status(h, &s[0], pair), in, sizeof(int) * (size_t)lengths[k]);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);

    s[0].MPI_ERROR = 4712;
    MPI_Wait(&r[0], &s[0]); /* null by now: the empty status */
    h = hash_number(hash_number(h, s[0].MPI_SOURCE == MPI_ANY_SOURCE), s[0].MPI_TAG == MPI_ANY_TAG);
    h = hash_status(h, &s[0], MPI_BYTE);

    MPI_Irecv(in, CAPACITY, pair, MPI_PROC_NULL, k, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, lengths[k], MPI_INT, MPI_PROC_NULL, k, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, s);
    h = hash_number(hash_number(h, s[0].MPI_SOURCE == MPI_PROC_NULL), s[0].MPI_TAG == MPI_ANY_TAG);
    h = hash_status(h, &s[0], MPI_BYTE);
  }
  MPI_Type_free(&pair);
  report("statuses", h);
  MPI_Finalize();
  return 0;
}
