// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages out of the window are read in place, and tried copied first: some messages each in any case. Everything
// arrives, of sizes that share a class, from a sender that writes its buffer anew as soon as it may, whoever waits;
// MPISHM_STAGE does without.
//
// RUN: %run-both %s --work %t --ranks 2 --moves 2
// RUN: env MPISHM_STATS=1 timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: env MPISHM_STATS=1 MPISHM_STAGE=0 timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,IN_PLACE --implicit-check-not="sent, staged"
// RUN: env MPISHM_WINDOW=256K timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 | FileCheck %s
//
// Standard output and error may come in any order.
// CHECK-DAG: wrong: 0
// BOTH-DAG: {{[1-9][0-9]+ .* sent, staged}}
// BOTH-DAG: {{[1-9][0-9]+ .* sent, one copy in the window}}
// IN_PLACE-DAG: {{[1-9][0-9]+ .* sent, one copy in the window}}
#include "report.h"
#include <unistd.h>

/* Two each turn: more than are read in place before the other way is tried. */
enum { BYTES = 400000, LEAST = 270000, TURNS = 70 };

static int is_wrong(const char *bytes, int count, int seed) {
  static char expected[BYTES];
  fill_bytes(expected, count, seed);
  return memcmp(bytes, expected, count) != 0;
}

int main(int argc, char **argv) {
  int rank, turn, wrong = 0, all_wrong = 0;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *in = malloc(BYTES), *out = malloc(BYTES);
  for (turn = 0; turn < TURNS; turn++) {
    int bytes = LEAST + turn * 1850;
    fill_bytes(out, bytes, turn + rank);
    MPI_Irecv(in, BYTES, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    wrong += is_wrong(in, bytes, turn + 1 - rank);
    if (rank == 0) {
      fill_bytes(out, bytes, turn);
      MPI_Send(out, bytes, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
      memset(out, 99, BYTES);
    } else {
      usleep(turn % 5 ? 0 : 500);
      MPI_Recv(in, BYTES, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      wrong += is_wrong(in, bytes, turn);
      fill_bytes(out, bytes, turn);
      MPI_Send(out, bytes, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
    }
    if (rank == 0) {
      MPI_Recv(in, BYTES, MPI_BYTE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      wrong += is_wrong(in, bytes, turn);
    }
  }
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  report("messages", hash_number(HASH_START, all_wrong));
  if (rank == 0)
    printf("wrong: %d\n", all_wrong);
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
