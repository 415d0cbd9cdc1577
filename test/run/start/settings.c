// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of the environment with values that say nothing: one warning for all ranks, and the default holds.
//
// RUN: mkdir -p %t && mpishmcc %s -o %t/program
// RUN: env MPISHM_WINDOW=64Q MPISHM_STAGE=large MPISHM_TRIALS=-3 MPISHM_LEADERS=two MPISHM_TIMEOUT=-1 \
// RUN:   MPISHM_TIMEOUT_ACTION=explode MPISHM_NET=abrot MPISHM_CMA=maybe mpiexec -n 3 %t/program 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: {{^}}mpishm: warning: MPISHM_NET is 'abrot', expected 0, 1 or abort;
// WRONG-SAME: {{ }}MPISHM_LEADERS is 'two', expected a number, 0 or larger;
// WRONG-SAME: {{ }}MPISHM_TRIALS is '-3', expected a number, 0 or larger;
// WRONG-SAME: {{ }}MPISHM_TIMEOUT is '-1', expected seconds;
// WRONG-SAME: {{ }}MPISHM_TIMEOUT_ACTION is 'explode', expected abort or continue;
// WRONG-SAME: {{ }}MPISHM_WINDOW is '64Q', expected bytes, as 65536 or 64M;
// WRONG-SAME: {{ }}MPISHM_CMA is 'maybe', expected 0 or 1;
// WRONG-SAME: {{ }}MPISHM_STAGE is 'large', expected bytes, as 65536 or 64M; it is ignored{{$}}
// WRONG-NOT: warning
//
// RUN: env MPISHM_WINDOW=64Q mpiexec -n 3 %t/program 2>&1 | FileCheck --check-prefix=WINDOW %s
// WINDOW: {{^}}mpishm: warning: MPISHM_WINDOW is '64Q', expected bytes, as 65536 or 64M; it is ignored{{$}}
// WINDOW-NOT: warning
//
// RUN: env MPISHM_WINDOW=4MiB "MPISHM_BUFFERS=16 MB" MPISHM_EAGER=4kb MPISHM_STAGE=1t MPISHM_NET=false MPISHM_CMA= \
// RUN:   MPISHM_STATS=1 mpiexec -n 3 %t/program 2>&1 | FileCheck --check-prefix=RIGHT %s
// RIGHT-NOT: warning
// RIGHT: net for calls that were not rewritten: off{{$}}
// RIGHT-NOT: warning
//
// Of a window that no machine has there is what the machine has.
// RUN: env MPISHM_WINDOW=99999999999999999999 mpiexec -n 3 %t/program 2>&1 | FileCheck --check-prefix=HUGE %s
// HUGE-NOT: warning
// HUGE: right
#include <mpishm.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, sent, got = -1;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  sent = rank;
  MPISHM_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
                  MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0 && got == size - 1)
    puts("right");
  return MPI_Finalize();
}
