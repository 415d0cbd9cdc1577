// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank that is killed takes the job with it, whichever it is, and nothing of ours stays in /dev/shm. (MPICH 5
// leaves a file of its own there, also where the runtime is disabled.)
//
// REQUIRES: private-shm
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: unshare -m sh -c "mount -t tmpfs tmpfs /dev/shm && %python %S/../Inputs/kill_rank.py 0 3 %t/program" | FileCheck %s
// RUN: unshare -m sh -c "mount -t tmpfs tmpfs /dev/shm && %python %S/../Inputs/kill_rank.py 2 3 %t/program" | FileCheck %s
//
// CHECK: exchanges before the kill: yes
// CHECK-NEXT: job: ended with an error
// CHECK-NEXT: ranks left: 0
// CHECK-NEXT: files left: as many as MPI leaves by itself
#include "report.h"
#include <mpishm.h>
#include <unistd.h>

enum { N = 5000 };

int main(int argc, char **argv) {
  static int in[N], out[N];
  int rank, size, step;
  MPI_Request r[2];
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0;; step++) { /* until it is killed */
    MPISHM_Irecv(in, N, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[0]);
    MPISHM_Isend(out, step % 2 ? N : 10, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[1]);
    MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
    if (step == 10) {
      printf("rank %d pid %ld\n", rank, (long)getpid());
      fflush(stdout);
    }
  }
}
