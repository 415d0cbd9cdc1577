// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_Init a second time, and MPISHM_Attach after it: one warning from the job, and everything works.
//
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: timeout 60 mpiexec -n 4 %t/program > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out
// RUN: FileCheck %s --check-prefix=WARNING < %t/err
//
// CHECK: all right
// WARNING: {{^mpishm: warning: .*again.*$}}
// WARNING-NOT: {{.}}
#include "report.h"
#include <mpishm.h>

int main(int argc, char **argv) {
  int rank, size, in = -1, wrong, all;
  MPI_Request r[2];
  int error = MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPISHM_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
  error |= MPISHM_Init(&argc, &argv); /* with a message on its way */
  error |= MPISHM_Attach();
  MPISHM_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]);
  MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
  wrong = error != MPI_SUCCESS || in != (rank + size - 1) % size;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    puts(all ? "wrong" : "all right");
  MPI_Finalize();
  return 0;
}
