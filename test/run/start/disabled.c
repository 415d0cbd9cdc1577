// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_DISABLE=1 sends everything through MPI, without a word; 0 is as if it were not set.
//
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: env MPISHM_DISABLE=1 timeout 60 mpiexec -n 2 %t/program > %t/disabled 2>&1
// RUN: FileCheck %s --check-prefix=DISABLED < %t/disabled
// RUN: env MPISHM_DISABLE=0 timeout 60 mpiexec -n 2 %t/program > %t/enabled 2>&1
// RUN: FileCheck %s --check-prefix=ENABLED < %t/enabled
//
// DISABLED: {{^}}windows: 0, messages of MPI: 4, all right{{$}}
// DISABLED-NOT: {{.}}
// ENABLED: {{^}}windows: 2, messages of MPI: 0, all right{{$}}
// ENABLED-NOT: {{.}}
#include "report.h"
#include <mpishm.h>

static int windows, messages;

int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win) {
  windows++;
  return PMPI_Win_allocate_shared(size, disp_unit, info, comm, base, win);
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  messages++;
  return PMPI_Isend(buf, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *buf, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  messages++;
  return PMPI_Irecv(buf, count, type, from, tag, comm, request);
}

int main(int argc, char **argv) {
  int rank, size, in = -1, mine[3], all[3];
  MPI_Request r[2];
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPISHM_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
  MPISHM_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]);
  MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
  mine[0] = windows;
  mine[1] = messages;
  mine[2] = in != (rank + size - 1) % size;
  MPI_Reduce(mine, all, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("windows: %d, messages of MPI: %d, %s\n", all[0], all[1], all[2] ? "wrong" : "all right");
  MPI_Finalize();
  return 0;
}
