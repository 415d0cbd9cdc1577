// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A message of nothing has no buffer: a null pointer, in every mode, also of an empty datatype.
//
// RUN: %run-both %s --work %t
#include "report.h"

int main(int argc, char **argv) {
  int rank, size, value = 1;
  hash_t hash = HASH_START;
  MPI_Datatype empty;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  for (int step = 1; step <= size; step++) { /* the last to itself */
    int to = (rank + step) % size, from = (rank + size - step) % size;
    MPI_Request requests[9];
    MPI_Status statuses[9];
    MPI_Irecv(NULL, 0, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(NULL, 5, empty, from, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(NULL, 0, MPI_INT, from, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Recv_init(NULL, 0, MPI_INT, from, 3, MPI_COMM_WORLD, &requests[3]);
    MPI_Start(&requests[3]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Issend(NULL, 0, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[4]);
    MPI_Isend(NULL, 7, empty, to, 1, MPI_COMM_WORLD, &requests[5]);
    MPI_Rsend(NULL, 0, MPI_INT, to, 2, MPI_COMM_WORLD);
    MPI_Ssend_init(NULL, 0, empty, to, 3, MPI_COMM_WORLD, &requests[6]);
    MPI_Start(&requests[6]);
    MPI_Issend(NULL, 3, empty, to, 4, MPI_COMM_WORLD, &requests[7]);
    MPI_Isend(NULL, 0, MPI_DOUBLE, to, 5, MPI_COMM_WORLD, &requests[8]);
    MPI_Recv(&value, 1, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_DOUBLE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(9, requests, statuses);
    for (int i = 0; i < 4; i++) {
      int count;
      MPI_Get_count(&statuses[i], MPI_BYTE, &count);
      hash = hash_number(hash_number(hash, count), statuses[i].MPI_SOURCE);
    }
    MPI_Request_free(&requests[3]);
    MPI_Request_free(&requests[6]);
    if (to != rank)
      MPI_Sendrecv(NULL, 0, MPI_CHAR, to, 6, NULL, 0, MPI_CHAR, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&empty);
  report("null buffers", hash_number(hash, value));
  MPI_Finalize();
  return 0;
}
