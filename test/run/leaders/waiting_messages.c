// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first collective of a communicator, in which its members agree on their leaders, while many messages from
// another node wait for their receives. (Intel MPI's MPI_Iallreduce does not end then; the original's barrier does.)
//
// RUN: %run-both %s --work %t
#include <mpi.h>
#include <stdio.h>

enum { MESSAGES = 80 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, values[64][MESSAGES], sum = 0;
  MPI_Request requests[64 * MESSAGES];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 64)
    return 1;
  for (int to = 0; to < size; to++)
    for (int i = 0; i < MESSAGES; i++) {
      values[to][i] = rank * MESSAGES + i;
      MPI_Isend(&values[to][i], 1, MPI_INT, to, i, MPI_COMM_WORLD, &requests[to * MESSAGES + i]);
    }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int from = 0; from < size; from++)
    for (int i = MESSAGES - 1; i >= 0; i--) {
      int value;
      MPI_Recv(&value, 1, MPI_INT, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += value * (i % 3 + 1);
    }
  MPI_Waitall(size * MESSAGES, requests, MPI_STATUSES_IGNORE);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &sum, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %d\n", sum);
  MPI_Finalize();
  return 0;
}
