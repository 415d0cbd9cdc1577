// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages out of the window are read in place, and tried copied first, short ones the other way round: some messages
// each in any case. Everything arrives, of sizes that share a class, from a sender that writes its buffer anew as soon
// as it may, whoever waits; MPISHM_STAGE does without.
//
// RUN: %run-both %s --work %t --ranks 2 --moves 4
// RUN: env MPISHM_STATS=1 timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: env MPISHM_STATS=1 MPISHM_STAGE=0 timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,IN_PLACE --implicit-check-not="sent, staged"
// RUN: env MPISHM_WINDOW=256K timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 | FileCheck %s
//
// Standard output and error may come in any order.
// CHECK-DAG: wrong: 0
// BOTH-DAG: {{[1-9][0-9]+ .* sent, eager}}
// BOTH-DAG: {{[1-9][0-9]+ .* sent, staged}}
// BOTH-DAG: {{[1-9][0-9]+ .* sent, one copy in the window}}
// IN_PLACE-DAG: {{[1-9][0-9]+ .* sent, one copy in the window}}
#include "report.h"
#include <unistd.h>

/* Two each turn: more than are read in place before the other way is tried. */
enum { BYTES = 400000, LEAST = 270000, TURNS = 70 };
/* More of them each turn, for the same reason. */
enum { SHORT_BYTES = 8000, SHORT_LEAST = 4200, SHORTS = 3 };

static int is_wrong(const char *bytes, int count, int seed) {
  static char expected[BYTES];
  fill_bytes(expected, count, seed);
  return memcmp(bytes, expected, count) != 0;
}

/* How many of some short messages to the other rank and from it were wrong. */
static int exchange_short(char *in, char *out, int rank, int turn) {
  int wrong = 0;
  for (int i = 0; i < SHORTS; i++) {
    MPI_Request r[2];
    int bytes = SHORT_LEAST + (turn * SHORTS + i) * 18, seed = turn * SHORTS + i;
    fill_bytes(out, bytes, seed + rank);
    MPI_Irecv(in, SHORT_BYTES, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, bytes, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    wrong += is_wrong(in, bytes, seed + 1 - rank);
  }
  return wrong;
}

int main(int argc, char **argv) {
  int rank, turn, wrong = 0, all_wrong = 0;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *in = malloc(BYTES), *out = malloc(BYTES);
  char *short_in = malloc(SHORT_BYTES), *short_out = malloc(SHORT_BYTES);
  for (turn = 0; turn < TURNS; turn++) {
    int bytes = LEAST + turn * 1850;
    wrong += exchange_short(short_in, short_out, rank, turn);
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
  free(short_in);
  free(short_out);
  MPI_Finalize();
  return 0;
}
