// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_TIMEOUT and MPISHM_STATS of wildcards and probes: what is waited for, and how it came in the end. (Between
// nodes with UCX also for MPICH 5: with libfabric's TCP it delivers a message only when its sender calls MPI again.)
//
// RUN: mkdir -p %t && mpishmcc -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: env MPISHM_TIMEOUT=0.2 MPISHM_STATS=1 timeout 100 mpiexec -n 2 %t/program > %t/one 2> %t/one.err
// RUN: FileCheck %s < %t/one.err
// RUN: FileCheck %s --check-prefix=HERE < %t/one.err
// RUN: env MPISHM_TIMEOUT=0.2 MPISHM_STATS=1 MPIR_CVAR_CH4_NETMOD=ucx \
// RUN:   timeout 100 %mpiexec --nodes 2 -n 2 %t/program > %t/two 2> %t/two.err
// RUN: FileCheck %s < %t/two.err
// RUN: FileCheck %s --check-prefix=ELSEWHERE < %t/two.err
//
// CHECK: rank 0 of MPI_COMM_WORLD has waited {{.*}} in MPISHM_Waitall at
// CHECK-NEXT: receive from any rank, tag 5, up to 4 bytes, by MPISHM_Irecv at {{.*}}: nothing that matches has come
// HERE: receive from rank 1 of MPI_COMM_WORLD, tag 5, up to 4 bytes, by MPISHM_Irecv at {{.*}}: waits behind a receive
// CHECK: rank 0 of MPI_COMM_WORLD has waited {{.*}} in MPISHM_Probe at
// CHECK-NEXT: probe of any rank, any tag, by MPISHM_Probe at {{.*}}: nothing that matches has come
// HERE: 3 {{ *}}12 B received, in a cell
// ELSEWHERE: 3 {{ *}}12 B received, MPI (other node)
#include "report.h"
#include <mpishm.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, in[3] = {0}, out = 7, i;
  MPI_Request r[2];
  MPI_Status status;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPISHM_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[0]);
    MPISHM_Irecv(&in[1], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &r[1]);
    MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPISHM_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPISHM_Recv(&in[2], 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    for (i = 0; i < 3; i++) {
      if (i != 1)
        usleep(1500000);
      MPISHM_Send(&out, 1, MPI_INT, 0, 5 + i / 2, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
