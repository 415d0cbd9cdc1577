// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_TIMEOUT: a wait that lasts too long says for whom and for what; then it goes on, or ends the job.
//
// RUN: mkdir -p %t && mpishmcc -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
//
// A deadlock: each rank waits for a tag that the other one does not send. On one node, and through MPI.
// RUN: not env MPISHM_STAGE=4M MPISHM_TIMEOUT=0.5 MPISHM_TIMEOUT_ACTION=abort \
// RUN:   timeout 100 mpiexec -n 2 %t/program hang > %t/hang 2>&1
// RUN: FileCheck %s --check-prefixes=HANG0,HANG < %t/hang
// RUN: FileCheck %s --check-prefixes=HANG1,HANG < %t/hang
// RUN: not env MPISHM_DISABLE=1 MPISHM_TIMEOUT=0.5 MPISHM_TIMEOUT_ACTION=abort \
// RUN:   timeout 100 mpiexec -n 2 %t/program hang > %t/mpi 2>&1
// RUN: FileCheck %s --check-prefix=MPI < %t/mpi
//
// A rank that is late, but comes.
// RUN: env MPISHM_TIMEOUT=0.2 timeout 100 mpiexec -n 2 %t/program late > %t/late 2> %t/late.err
// RUN: FileCheck %s --check-prefix=RIGHT < %t/late
// RUN: FileCheck %s --check-prefix=LATE < %t/late.err
// RUN: env MPISHM_TIMEOUT=0.2 timeout 100 %mpiexec --nodes 2 -n 2 %t/program late > %t/node 2> %t/node.err
// RUN: FileCheck %s --check-prefix=RIGHT < %t/node
// RUN: FileCheck %s --check-prefix=NODE < %t/node.err
//
// Nobody is late, and nothing is said.
// RUN: env MPISHM_TIMEOUT=90 timeout 100 mpiexec -n 2 %t/program late > %t/quiet 2>&1
// RUN: FileCheck %s --check-prefix=QUIET < %t/quiet
// QUIET-NOT: mpishm
// QUIET: all right
// QUIET-NOT: mpishm
//
// RUN: env MPISHM_TIMEOUT=soon timeout 100 mpiexec -n 1 %t/program alone 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: mpishm: warning: MPISHM_TIMEOUT is 'soon', expected seconds; it is ignored
#include "report.h"
#include <mpishm.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 30000 };
static int in[LARGE], out[LARGE];

// HANG0: {{^}}mpishm: rank 0 of MPI_COMM_WORLD has waited {{[0-9.]+}} s in MPISHM_Waitall at
// HANG0-SAME: timeout.c:[[# @LINE + 24]] for{{$}}
// HANG0-NEXT: mpishm: receive from rank 1 of MPI_COMM_WORLD, tag 7, up to 40 bytes, by MPISHM_Irecv at
// HANG0-SAME: timeout.c:[[# @LINE + 20]]: nothing that matches has come
// HANG0-NEXT: mpishm: what has come from there and no receive matches: tag 8, 20 bytes
// HANG0-NEXT: mpishm: send to rank 0 of the pair (rank 1 of MPI_COMM_WORLD), tag 5, 120000 bytes, by MPISHM_Issend at
// HANG0-SAME: timeout.c:[[# @LINE + 18]]: staged, no receive has taken it yet
// HANG0-NOT: rank 0 of MPI_COMM_WORLD has waited
// HANG1: {{^}}mpishm: rank 1 of MPI_COMM_WORLD has waited {{[0-9.]+}} s in MPISHM_Recv at
// HANG1-SAME: timeout.c:[[# @LINE + 19]] for{{$}}
// HANG1-NEXT: mpishm: receive from rank 0 of MPI_COMM_WORLD, tag 9, up to 4 bytes, by MPISHM_Recv at {{.*}}timeout.c
// HANG1-SAME: : nothing that matches has come
// HANG: mpishm: MPISHM_TIMEOUT_ACTION=abort ends the job
// MPI-DAG: rank 0 of MPI_COMM_WORLD has waited {{.*}} MPISHM_Waitall
// MPI-DAG: receive from rank 1 of MPI_COMM_WORLD, tag 7, up to 40 bytes, by MPISHM_Irecv {{.*}}: goes through MPI
// MPI-DAG: rank 1 of MPI_COMM_WORLD has waited {{.*}} MPISHM_Recv
// MPI-DAG: receive from rank 0 of MPI_COMM_WORLD, tag 9, up to 4 bytes, by MPISHM_Recv {{.*}}: goes through MPI
static void hang(int rank) {
  MPI_Request r[2];
  MPI_Comm pair;
  MPISHM_Comm_split(MPI_COMM_WORLD, 0, -rank, &pair);
  MPI_Comm_set_name(pair, "the pair");
  if (rank == 0) {
    MPISHM_Irecv(in, 10, MPI_INT, 1, 7, MPI_COMM_WORLD, &r[0]);
    MPISHM_Issend(out, LARGE, MPI_INT, 0, 5, pair, &r[1]);
    MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
  } else {
    MPISHM_Send(out, 5, MPI_INT, 0, 8, MPI_COMM_WORLD);
    MPISHM_Recv(in, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

// LATE: {{^}}mpishm: rank 0 of MPI_COMM_WORLD has waited {{.*}} s in MPISHM_Wait at
// LATE-SAME: timeout.c:[[# @LINE + 14]] for
// LATE-NEXT: mpishm: receive from rank 1 of MPI_COMM_WORLD, tag 3, up to 120000 bytes, by MPISHM_Irecv at
// LATE-SAME: nothing that matches has come
// LATE-NEXT: mpishm: rank 0 of MPI_COMM_WORLD goes on after {{.*}} s in MPISHM_Wait at
// LATE-SAME: timeout.c:[[# @LINE + 10]]{{$}}
// LATE-NOT: mpishm
// NODE: rank 0 of MPI_COMM_WORLD has waited {{.*}} s in MPISHM_Wait at {{.*}}timeout.c:[[# @LINE + 8]] for
// NODE-NEXT: mpishm: receive from rank 1 of MPI_COMM_WORLD, tag 3, up to 120000 bytes, by MPISHM_Irecv at
// NODE-SAME: goes through MPI to another node
// NODE: goes on after
static void late(int rank) {
  MPI_Request r;
  if (rank == 0) {
    MPISHM_Irecv(in, LARGE, MPI_INT, 1, 3, MPI_COMM_WORLD, &r);
    MPISHM_Wait(&r, MPI_STATUS_IGNORE);
    printf("%s\n", memcmp(in, out, sizeof in) == 0 ? "all right" : "wrong");
  } else {
    sleep(1);
    MPISHM_Send(out, LARGE, MPI_INT, 0, 3, MPI_COMM_WORLD);
  }
}
// RIGHT: all right

int main(int argc, char **argv) {
  int rank;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fill_bytes(out, sizeof out, 1);
  if (strcmp(argv[1], "hang") == 0)
    hang(rank);
  else if (strcmp(argv[1], "late") == 0)
    late(rank);
  MPI_Finalize();
  return 0;
}
