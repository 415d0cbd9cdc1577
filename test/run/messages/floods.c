// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thousands of sends that nobody has posted a receive for, and thousands of receives that nobody has sent to, matched
// in another order of tags than they were posted; of all sizes; again and again in bounded memory; then the same
// through a window of 200 KiB, which overflows: with one warning on each node, and right. Where all goes through
// MPI, the timeout's books stay right although MPI has one handle for many requests that are complete.
//
// Between nodes not with libfabric's TCP (Intel MPI, and MPICH 5 unless it is told to take UCX), where a flood of
// messages that nobody expects stops the barrier behind it: the original itself hangs.
// Where messages go through MPI, MPICH 5 keeps memory of its own for as many as ever were on their way: not looked at.
//
// RUN: %run-both %s --work %t --ranks 2 --env MPIR_CVAR_CH4_NETMOD=ucx %if mpi-impi %{ --one-node %}
// RUN: env MPISHM_WINDOW=200K timeout 60 mpiexec -n 2 %t/rewritten/program 2> %t/err \
// RUN:   | %if mpi-mpich5 %{ grep -v "has grown" %} %else %{ cat %} > %t/small
// RUN: FileCheck %s --check-prefix=WARNING < %t/err
// RUN: env MPISHM_DISABLE=1 MPISHM_TIMEOUT=50 timeout 60 mpiexec -n 2 %t/rewritten/program \
// RUN:   | %if mpi-mpich5 %{ grep -v "has grown" %} %else %{ cat %} > %t/disabled
// RUN: diff %t/small %t/disabled
// RUN: env MPISHM_WINDOW=200K MPISHM_CMA=0 timeout 60 mpiexec -n 2 %t/rewritten/program 2> %t/err \
// RUN:   | %if mpi-mpich5 %{ grep -v "has grown" %} %else %{ cat %} > %t/small
// RUN: FileCheck %s --check-prefix=WARNING < %t/err
// RUN: diff %t/small %t/disabled
//
// WARNING: {{^mpishm: warning: the window is full .* MPISHM_WINDOW$}}
// WARNING-NOT: {{.}}
#include "report.h"
#include <string.h>

enum { MESSAGES = 4000, LARGE = 3000, ROUNDS = 6, WARM = 3, GROWTH_KB = 4096 };

static int rank, other;
static int in[MESSAGES][4], out[MESSAGES][4], large_in[40][LARGE], large_out[40][LARGE]; // mpishm: keep
static MPI_Request r[MESSAGES + 80];

static int tag_of(int i, int round) { return (i * 769 + round * 31) % 10007; }

/* Sends first: all of them unexpected. */
static hash_t sends_first(hash_t h, int round) {
  int i;
  for (i = 0; i < MESSAGES; i++) {
    out[i][0] = rank + i;
    out[i][3] = i * i;
    MPI_Isend(out[i], 1 + i % 4, MPI_INT, other, tag_of(i, round), MPI_COMM_WORLD, &r[i]);
    if (i % 100 == 0)
      MPI_Isend(large_out[i / 100], LARGE, MPI_INT, other, 20000 + i, MPI_COMM_WORLD, &r[MESSAGES + i / 100]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (i = MESSAGES - 1; i >= 0; i--) {
    MPI_Recv(in[i], 4, MPI_INT, other, tag_of(i, round), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (i % 100 == 0)
      MPI_Recv(large_in[i / 100], LARGE, MPI_INT, other, 20000 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(MESSAGES + 40, r, MPI_STATUSES_IGNORE);
  return hash_bytes(hash_bytes(h, in, sizeof in), large_in, sizeof large_in);
}

/* Receives first, in the opposite order of the sends. */
static hash_t receives_first(hash_t h, int round) {
  int i;
  for (i = 0; i < MESSAGES; i++)
    MPI_Irecv(in[i], 4, MPI_INT, other, tag_of(i, round), MPI_COMM_WORLD, &r[i]);
  for (i = 0; i < 40; i++)
    MPI_Irecv(large_in[i], LARGE, MPI_INT, other, 20000 + i, MPI_COMM_WORLD, &r[MESSAGES + i]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (i = 39; i >= 0; i--)
    MPI_Isend(large_out[i], LARGE, MPI_INT, other, 20000 + i, MPI_COMM_WORLD, &r[MESSAGES + 40 + i]);
  for (i = MESSAGES - 1; i >= 0; i--)
    MPI_Send(out[i], 1 + i % 4, MPI_INT, other, tag_of(i, round), MPI_COMM_WORLD);
  MPI_Waitall(MESSAGES + 80, r, MPI_STATUSES_IGNORE);
  return hash_bytes(hash_bytes(h, in, sizeof in), large_in, sizeof large_in);
}

/* What the overflow must not have broken: order within a tag, and a synchronous send whose receiver sits in
 * MPI_Bcast. */
static hash_t afterwards(hash_t h) {
  int i, token = 1, got[8], mine[8];
  for (i = 0; i < 8; i++) {
    mine[i] = i + rank * 100;
    MPI_Isend(&mine[i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r[i]);
  }
  for (i = 0; i < 8; i++)
    MPI_Irecv(&got[i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r[8 + i]);
  MPI_Waitall(16, r, MPI_STATUSES_IGNORE);
  h = hash_bytes(h, got, sizeof got);
  for (i = 0; i < 4; i++) {
    if (rank == 0) {
      int k;
      for (k = 0; k < i; k++) /* the receives of these are ahead of the last one */
        MPI_Isend(&mine[k], 1, MPI_INT, other, 2, MPI_COMM_WORLD, &r[k]);
      MPI_Ssend(large_out[i], LARGE, MPI_INT, other, 2, MPI_COMM_WORLD);
      MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
      MPI_Waitall(i, r, MPI_STATUSES_IGNORE);
    } else {
      int k;
      for (k = 0; k <= i; k++)
        MPI_Irecv(large_in[k], LARGE, MPI_INT, other, 2, MPI_COMM_WORLD, &r[k]);
      MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
      MPI_Waitall(i + 1, r, MPI_STATUSES_IGNORE);
      h = hash_bytes(h, large_in, sizeof large_in);
    }
  }
  return h;
}

int main(int argc, char **argv) {
  int round;
  long private_kb = 0, shared_kb = 0;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  fill_bytes(large_out, sizeof large_out, rank);
  for (round = 0; round < ROUNDS; round++) {
    if (round == WARM) {
      private_kb = status_kb("RssAnon:");
      shared_kb = status_kb("RssShmem:");
    }
    h = sends_first(h, round);
    h = receives_first(h, round);
    h = afterwards(h);
  }
  private_kb = status_kb("RssAnon:") - private_kb;
  shared_kb = status_kb("RssShmem:") - shared_kb;
  if ((private_kb > GROWTH_KB && !KEEPS_FREED_MEMORY) || shared_kb > GROWTH_KB)
    printf("rank %d has grown by %ld KiB of its own, %ld KiB shared\n", rank, private_kb, shared_kb);
  report("floods", h);
  MPI_Finalize();
  return 0;
}
