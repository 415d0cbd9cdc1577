// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An MPI that refuses the shared window, on every rank or on one of them: through MPI, with one warning from the job.
// The program defines MPI_Win_allocate_shared itself, in front of the library's.
//
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: timeout 60 mpiexec -n 4 %t/program -1 > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out
// RUN: FileCheck %s --check-prefix=WARNING < %t/err
// RUN: timeout 60 mpiexec -n 4 %t/program 2 > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out
// RUN: FileCheck %s --check-prefix=WARNING < %t/err
//
// Only the program's own buffers are too much: nothing to warn of.
// RUN: env MPISHM_BUFFERS=300M timeout 60 mpiexec -n 4 %t/program -2 > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out
// RUN: count 0 < %t/err
//
// CHECK: refused: 1, all right
// WARNING: {{^mpishm: warning: .*through MPI.*$}}
// WARNING-NOT: {{.}}
#include "report.h"
#include <mpishm.h>

static int refuser = -3, refused;

int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win) {
  if (refuser == -2 && size > 200 << 20) {
    refused = 1;
    return MPI_ERR_NO_MEM;
  }
  int rank, error = PMPI_Win_allocate_shared(size, disp_unit, info, comm, base, win);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (error == MPI_SUCCESS && (refuser == -1 || refuser == rank)) {
    /* What the others see of a call that failed here is up to the MPI library; here they got their window. */
    refused = 1;
    if (refuser == -1)
      PMPI_Win_free(win);
    *win = MPI_WIN_NULL;
    return MPI_ERR_NO_MEM;
  }
  return error;
}

int main(int argc, char **argv) {
  int rank, size, step, in = -1, wrong = 0, all, any;
  MPI_Request r[2];
  refuser = atoi(argv[1]);
  int error = MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0; step < 5; step++) {
    int out = rank + 10 * step, from = (rank + size - 1) % size;
    MPISHM_Irecv(&in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &r[0]);
    MPISHM_Isend(&out, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]);
    MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
    wrong += error != MPI_SUCCESS || in != from + 10 * step;
  }
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&refused, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("refused: %d, %s\n", any, all ? "wrong" : "all right");
  MPI_Finalize();
  return 0;
}
