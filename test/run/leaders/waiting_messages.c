// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first collective of a communicator, in which its members agree on their leaders, while many messages from
// another node wait for their receives. (Of 70 Intel MPI does not end the barrier of the original either.)
//
// RUN: %run-both %s --work %t
#include <mpi.h>
#include <stdio.h>

enum { MESSAGES = 60 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, values[MESSAGES], received[MESSAGES], sum = 0;
  MPI_Request requests[MESSAGES];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int to = (rank + size / 2) % size, from = (rank + size - size / 2) % size; /* on another node, where there are two */
  for (int i = 0; i < MESSAGES; i++) {
    values[i] = rank * MESSAGES + i;
    MPI_Isend(&values[i], 1, MPI_INT, to, i, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < MESSAGES; i++) {
    MPI_Recv(&received[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += received[i] * (i % 3 + 1);
  }
  MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &sum, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %d\n", sum);
  MPI_Finalize();
  return 0;
}
