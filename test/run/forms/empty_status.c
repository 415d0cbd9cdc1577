// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The status of a request that is none has MPI_ANY_SOURCE and MPI_ANY_TAG, with which a program may receive.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"

int main(int argc, char **argv) {
  hash_t hash = HASH_START;
  int rank, other, in = 0, out;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status empty, status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  out = 10 * rank;

  MPI_Wait(&request, &empty);
  MPI_Isend(&out, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
  MPI_Recv(&in, 1, MPI_INT, empty.MPI_SOURCE, empty.MPI_TAG, MPI_COMM_WORLD, &status);
  hash = hash_status(hash_number(hash, in), &status, MPI_INT);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  // A tag of that status' own, computed from it.
  MPI_Isend(&out, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &request);
  MPI_Recv(&in, 1, MPI_INT, other, empty.MPI_TAG - MPI_ANY_TAG + 2, MPI_COMM_WORLD, &status);
  hash = hash_status(hash_number(hash, in), &status, MPI_INT);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  // With a tag that was received.
  MPI_Isend(&out, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &request);
  MPI_Probe(other, empty.MPI_TAG, MPI_COMM_WORLD, &status);
  MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
  hash = hash_status(hash_number(hash, in), &status, MPI_INT);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  report("empty", hash);
  MPI_Finalize();
  return 0;
}
