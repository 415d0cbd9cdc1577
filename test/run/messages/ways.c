// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private buffers go one of three ways, as measured: some messages each in any case. Everything arrives, from a sender
// that goes on, one that waits, and one whose receiver is late, whichever way it goes; where the kernel copies nothing,
// no message is left to it; and MPISHM_STAGE chooses. Shorter ones are put into the window in one of two ways, in any
// number of bytes.
//
// RUN: %run-both %s --work %t --ranks 2
// RUN: env MPISHM_STATS=1 timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: env MPISHM_STATS=1 MPISHM_CMA=0 timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,STAGED --implicit-check-not="by the kernel"
// RUN: env MPISHM_STATS=1 MPISHM_STAGE=1M timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,STAGED --implicit-check-not="by the kernel"
//
// Standard output and error may come in any order.
// CHECK-DAG: wrong: 0
// BOTH-DAG: {{[1-9][0-9]+ .* sent, one copy by the kernel}}
// BOTH-DAG: {{[1-9][0-9]+ .* sent, staged}}
// STAGED-DAG: {{[1-9][0-9]+ .* sent, staged}}
#include "report.h"
#include <unistd.h>

enum { BYTES = 100000, TURNS = 70 };

/* More turns than what is left to the kernel before other ways are tried. Private: only what is allocated moves. */
static char in[2][BYTES], out[2][BYTES]; // mpishm: keep

static int is_wrong(const char *bytes, int seed) {
  static char expected[BYTES];
  fill_bytes(expected, BYTES, seed);
  return memcmp(bytes, expected, BYTES) != 0;
}

/* Of 2 to 16 KiB, more than are put there in the first way before others are tried. */
static int shorter_are_wrong(int rank) {
  enum { SHORTER = 120 };
  int i, wrong = 0;
  for (i = 0; i < SHORTER; i++) {
    int bytes = 2040 + i * 119, start = i % 70;
    fill_bytes(out[0] + start, bytes, i + rank);
    memset(in[0], 0, BYTES);
    MPI_Sendrecv(out[0] + start, bytes, MPI_BYTE, 1 - rank, 3, in[0] + start, BYTES - start, MPI_BYTE, 1 - rank, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fill_bytes(out[0] + start, bytes, i + 1 - rank);
    wrong += memcmp(in[0] + start, out[0] + start, bytes) != 0 || in[0][start + bytes] != 0;
  }
  return wrong;
}

int main(int argc, char **argv) {
  int rank, turn, i, wrong = 0, all_wrong = 0;
  MPI_Request r[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (turn = 0; turn < TURNS; turn++) {
    for (i = 0; i < 2; i++) {
      fill_bytes(out[i], BYTES, turn + 10 * i + rank);
      MPI_Irecv(in[i], BYTES, MPI_BYTE, 1 - rank, i, MPI_COMM_WORLD, &r[i]);
      MPI_Isend(out[i], BYTES, MPI_BYTE, 1 - rank, i, MPI_COMM_WORLD, &r[2 + i]);
    }
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    for (i = 0; i < 2; i++)
      wrong += is_wrong(in[i], turn + 10 * i + 1 - rank);
    if (rank == 0) {
      MPI_Send(out[0], BYTES, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
      fill_bytes(out[0], BYTES, 99);
    } else {
      usleep(turn % 5 ? 0 : 500);
      MPI_Recv(in[0], BYTES, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      wrong += is_wrong(in[0], turn);
    }
  }
  wrong += shorter_are_wrong(rank);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  report("messages", hash_number(HASH_START, all_wrong));
  if (rank == 0)
    printf("wrong: %d\n", all_wrong);
  MPI_Finalize();
  return 0;
}
