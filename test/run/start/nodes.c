// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests' launchers do what they say, whatever the MPI library: on two nodes half of the ranks share memory. So the
// other tests do test two nodes, and messages between the two go through MPI.
//
// RUN: mkdir -p %t && mpishmcc %s -o %t/program
// RUN: mpiexec -n 4 %t/program | FileCheck %s --check-prefix=ONE
// RUN: %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s --check-prefix=TWO
// RUN: %mpiexec --nodes 2 -n 2 %t/program | FileCheck %s --check-prefix=APART
//
// ONE: nodes of 4 4 4 4 ranks, messages of MPI: 0
// TWO: nodes of 2 2 2 2 ranks, messages of MPI: 2
// APART: nodes of 1 1 ranks, messages of MPI: 2
#include <mpishm.h>
#include <stdio.h>

static int messages;

int MPI_Send(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  messages++;
  return PMPI_Send(buf, count, type, to, tag, comm);
}

int main(int argc, char **argv) {
  int rank, size, here, sizes[4], all, i, value;
  MPI_Comm node;
  MPI_Request r;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &here);
  MPI_Comm_free(&node);
  MPISHM_Irecv(&value, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r);
  MPISHM_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
  MPISHM_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Gather(&here, 1, MPI_INT, sizes, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(&messages, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("nodes of");
    for (i = 0; i < size; i++)
      printf(" %d", sizes[i]);
    printf(" ranks, messages of MPI: %d\n", all);
  }
  return MPI_Finalize();
}
