// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_STATS: messages and bytes by path and site, as JSON and as a table. On one node, without copies by the kernel,
// on two nodes, without a window, with a small one that fills up.
//
// RUN: mkdir -p %t && mpishmcc -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: env MPISHM_STATS=%t/one.json timeout 100 mpiexec -n 2 %t/program > %t/out 2>&1
// RUN: count 0 < %t/out
// RUN: %python %S/../Inputs/check_statistics.py %t/one.json %s ranks=2 ranks_reported=2 nodes=1 \
// RUN:   "IRECV received inline 6 120" "ISEND sent inline 6 120" "ISEND calls 6" "WAITALL calls 6" \
// RUN:   "SENDRECV sent eager 6 2400" "SENDRECV received eager 6 2400" "SENDRECV calls 6" \
// RUN:   "SEND_INIT sent window+kernel+staged 6 480000" "RECV_INIT received window+kernel+staged 6 480000" \
// RUN:   "STARTALL calls 6" "START_SMALL calls 6" "SEND_INIT calls 2" "SEND_INIT_SMALL sent inline 6 24" \
// RUN:   "SSEND_SELF sent window 2 80000" "RECV_SELF received window 2 80000" \
// RUN:   "IRECV_OTHER received mpi_unregistered 2 40" "SEND_OTHER sent mpi_unregistered 2 40" \
// RUN:   "FLOOD sent window+kernel+staged 16 1280000"
// RUN: env MPISHM_CMA=0 MPISHM_STATS=%t/staged.json timeout 100 mpiexec -n 2 %t/program
// RUN: %python %S/../Inputs/check_statistics.py %t/staged.json %s "SEND_INIT sent staged 6 480000" \
// RUN:   "RECV_INIT received staged 6 480000" "SSEND_SELF sent window 2 80000"
//
// RUN: env MPISHM_STATS=%t/two.json timeout 100 %mpiexec --nodes 2 -n 4 %t/program
// RUN: %python %S/../Inputs/check_statistics.py %t/two.json %s ranks=4 nodes=2 \
// RUN:   "ISEND sent inline 6 120" "ISEND sent mpi_other_node 6 120" "IRECV received mpi_other_node 6 120" \
// RUN:   "SEND_INIT sent mpi_other_node 6 480000" "RECV_INIT received mpi_other_node 6 480000" \
// RUN:   "SENDRECV sent eager 6 2400" "SENDRECV sent mpi_other_node 6 2400" \
// RUN:   "SENDRECV received eager 6 2400" "SENDRECV received mpi_other_node 6 480000"
//
// RUN: env MPISHM_DISABLE=1 MPISHM_STATS=%t/mpi.json timeout 100 mpiexec -n 2 %t/program
// RUN: %python %S/../Inputs/check_statistics.py %t/mpi.json %s nodes=1 "SENDRECV sent mpi_disabled 6 2400" \
// RUN:   "SEND_INIT sent mpi_disabled 6 480000" "IRECV_OTHER received mpi_disabled 2 40"
//
// RUN: env MPISHM_WINDOW=600K MPISHM_CMA=0 MPISHM_STATS=%t/full.json timeout 100 mpiexec -n 2 %t/program
// RUN: %python %S/../Inputs/check_statistics.py %t/full.json %s "FLOOD sent staged+mpi_window_full 16 1280000"
// RUN: grep -q mpi_window_full %t/full.json
//
// RUN: env MPISHM_STATS=1 timeout 100 mpiexec -n 2 %t/program 2> %t/err
// RUN: FileCheck %s < %t/err
// CHECK: {{^}}mpishm statistics: 2 ranks on 1 node; mpishm {{[0-9.]+}}; {{.+$}}
// CHECK: seconds in these calls: {{[0-9.]+}} per rank, {{[0-9.]+}} in rank {{[01]}}; the run took {{[0-9.]+$}}
// CHECK: messages bytes all sites
// CHECK: {{^ +}}12 144 B sent, in a cell
// CHECK: calls {{.*}}site
#include "report.h"
#include <mpishm.h>

enum { STEPS = 3, SMALL = 5, MEDIUM = 100, LARGE = 20000, MANY = 8 };

static int in[MANY][LARGE], out[LARGE];

int main(int argc, char **argv) {
  int rank, size, step, right, left, k;
  MPI_Request r[2], many[MANY];
  MPI_Comm other;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Comm_dup(MPI_COMM_WORLD, &other); // which the runtime does not see
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;

  for (step = 0; step < STEPS; step++) {
    // CHECK: {{^ +}}6 {{.*}}statistics.c:[[@LINE+1]]: MPISHM_Irecv{{$}}
    MPISHM_Irecv(in[0], SMALL, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]); // IRECV
    // CHECK-NEXT: {{^ +}}6 120 B received, in a cell
    // CHECK-NEXT: {{^ +}}6 {{.*}}statistics.c:[[@LINE+1]]: MPISHM_Isend{{$}}
    MPISHM_Isend(out, SMALL, MPI_INT, right, 1, MPI_COMM_WORLD, &r[1]); // ISEND
    MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);                          // WAITALL
  }
  for (step = 0; step < STEPS; step++)
    MPISHM_Sendrecv(out, MEDIUM, MPI_INT, right, 2, // SENDRECV
                    in[0], LARGE, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  MPISHM_Recv_init(in[0], LARGE, MPI_INT, left, 3, MPI_COMM_WORLD, &r[0]); // RECV_INIT
  MPISHM_Send_init(out, LARGE, MPI_INT, right, 3, MPI_COMM_WORLD, &r[1]);  // SEND_INIT
  for (step = 0; step < STEPS; step++) {
    MPISHM_Startall(2, r); // STARTALL
    MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  MPISHM_Request_free(&r[0]);
  MPISHM_Request_free(&r[1]);

  MPISHM_Send_init(out, 1, MPI_INT, right, 4, MPI_COMM_WORLD, &r[1]); // SEND_INIT_SMALL
  for (step = 0; step < STEPS; step++) {
    MPISHM_Start(&r[1]); // START_SMALL
    MPISHM_Recv(in[0], 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPISHM_Wait(&r[1], MPI_STATUS_IGNORE);
  }
  MPISHM_Request_free(&r[1]);

  MPISHM_Issend(out, LARGE / 2, MPI_INT, rank, 5, MPI_COMM_WORLD, &r[1]);             // SSEND_SELF
  MPISHM_Recv(in[0], LARGE / 2, MPI_INT, rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // RECV_SELF
  MPISHM_Wait(&r[1], MPI_STATUS_IGNORE);

  MPISHM_Irecv(in[0], SMALL, MPI_INT, left, 6, other, &r[0]); // IRECV_OTHER
  MPISHM_Send(out, SMALL, MPI_INT, right, 6, other);          // SEND_OTHER
  MPISHM_Wait(&r[0], MPI_STATUS_IGNORE);

  for (k = 0; k < MANY; k++)
    MPISHM_Isend(out, LARGE, MPI_INT, right, 7, MPI_COMM_WORLD, &many[k]); // FLOOD
  MPI_Barrier(MPI_COMM_WORLD);
  for (k = 0; k < MANY; k++)
    MPISHM_Recv(in[k], LARGE, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPISHM_Waitall(MANY, many, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
