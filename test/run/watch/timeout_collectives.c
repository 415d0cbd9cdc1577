// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_TIMEOUT in a collective: it says which member has not come.
//
// RUN: mkdir -p %t && mpishmcc -g -Wno-stringop-overflow %s -o %t/program
// MPICH 5 is left the first barriers otherwise (communicators/counted.h).
// RUN: export MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD=0
// RUN: env MPISHM_TIMEOUT=0.2 timeout 100 mpiexec -n 2 %t/program > %t/out 2> %t/err
// RUN: FileCheck %s < %t/err
// RUN: not env MPISHM_TIMEOUT=0.2 MPISHM_TIMEOUT_ACTION=abort timeout 100 mpiexec -n 2 %t/program ever > %t/ever 2>&1
// RUN: FileCheck %s --check-prefix=EVER < %t/ever
//
// CHECK: {{^}}mpishm: rank 0 of MPI_COMM_WORLD has waited {{[0-9.]+}} s in MPISHM_Barrier at
// CHECK-SAME: timeout_collectives.c:[[# @LINE + 18]] for{{$}}
// CHECK-NEXT: mpishm: rank 1 of MPI_COMM_WORLD, which has not come so far
// CHECK-NEXT: mpishm: rank 0 of MPI_COMM_WORLD goes on after {{.*}} in MPISHM_Barrier
// EVER: rank 1 of MPI_COMM_WORLD, which has not come so far
// EVER: MPISHM_TIMEOUT_ACTION=abort ends the job
#include <mpishm.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPISHM_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    usleep(800000);
  if (rank == 1 && argc > 1 && strcmp(argv[1], "ever") == 0)
    sleep(60);
  MPISHM_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
