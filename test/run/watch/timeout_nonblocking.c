// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_TIMEOUT in a wait for nonblocking collectives: it says which of them, and a member that has not come.
//
// RUN: mkdir -p %t && mpishmcc -g -Wno-stringop-overflow %s -o %t/program
// RUN: env MPISHM_TIMEOUT=0.2 timeout 100 mpiexec -n 2 %t/program > %t/out 2> %t/err
// RUN: FileCheck %s < %t/err
//
// CHECK: {{^}}mpishm: rank 0 of MPI_COMM_WORLD has waited {{[0-9.]+}} s in MPISHM_Waitall at
// CHECK-SAME: timeout_nonblocking.c:[[# @LINE + 18]] for{{$}}
// CHECK-NEXT: mpishm:   a collective, by MPISHM_Ibarrier at {{.*}}timeout_nonblocking.c:[[# @LINE + 15]]:
// CHECK-SAME: waits for rank 1 of MPI_COMM_WORLD, which has not come so far{{$}}
// CHECK-NEXT: mpishm:   a collective, by MPISHM_Iallreduce at {{.*}}timeout_nonblocking.c:[[# @LINE + 14]]: waits
// CHECK-NEXT: mpishm: rank 0 of MPI_COMM_WORLD goes on after {{.*}} in MPISHM_Waitall
#include <mpishm.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, sum, one = 1;
  MPI_Request requests[2];
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPISHM_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    usleep(800000);
  MPISHM_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  MPISHM_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPISHM_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
