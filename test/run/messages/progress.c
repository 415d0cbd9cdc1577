// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Once both sides are posted a message completes on either side without the other's help (MPI 3.1, 3.5): a receiver
// posts and sits in a collective of MPI's until the sender, which waits, is through; a sender posts and does so. Every
// mode and size, receive buffers in one piece and scattered, and the same with copies by the kernel only, without any, and
// with a window that is nearly always full.
//
// RUN: %run-both %s --work %t --ranks 2 --timeout 60
// RUN: env MPISHM_STAGE=0 timeout 60 mpiexec -n 2 %t/rewritten/program | FileCheck %s
// RUN: env MPISHM_CMA=0 timeout 60 mpiexec -n 2 %t/rewritten/program | FileCheck %s
// RUN: env MPISHM_WINDOW=200K timeout 60 mpiexec -n 2 %t/rewritten/program | FileCheck %s
// RUN: env MPISHM_WINDOW=200K MPISHM_CMA=0 timeout 60 mpiexec -n 2 %t/rewritten/program | FileCheck %s
//
// CHECK: progress: rank 0
// CHECK: wrong: 0
#include "report.h"
#include <string.h>

enum { MAX = 300000, MODES = 4 };

static int in[2 * MAX], out[MAX], rank, other, wrong; // mpishm: keep

static hash_t look(hash_t h, int n, int scattered, int seed) {
  static int expected[MAX];
  int i, stride = scattered ? 2 : 1;
  fill_bytes(expected, n * sizeof(int), seed);
  for (i = 0; i < n; i++) {
    wrong += in[i * stride] != expected[i];
    wrong += scattered && in[i * stride + 1] != 0x5a5a5a5a;
  }
  return hash_bytes(h, in, n * stride * sizeof(int));
}

static void send(int mode, int n, int tag) {
  MPI_Request r;
  switch (mode) {
  case 0: MPI_Send(out, n, MPI_INT, other, tag, MPI_COMM_WORLD); return;
  case 1: MPI_Ssend(out, n, MPI_INT, other, tag, MPI_COMM_WORLD); return;
  case 2: MPI_Isend(out, n, MPI_INT, other, tag, MPI_COMM_WORLD, &r); break;
  default: MPI_Issend(out, n, MPI_INT, other, tag, MPI_COMM_WORLD, &r);
  }
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* The receive is posted first, or the send; then the receiver leaves for a broadcast that waits for the sender. */
static hash_t receiver_in_bcast(hash_t h, int mode, int n, MPI_Datatype one, MPI_Datatype column, int send_first) {
  int scattered = column != one, token = 7, seed = mode * 31 + n;
  MPI_Request r;
  if (rank == 0) {
    fill_bytes(out, n * sizeof(int), seed);
    if (!send_first)
      MPI_Barrier(MPI_COMM_WORLD);
    send(mode, n, 1);
    memset(out, 0, n * sizeof(int)); /* the buffer is the program's again */
    MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    memset(in, 0x5a, 2 * n * sizeof(int));
    MPI_Irecv(in, n, column, 0, 1, MPI_COMM_WORLD, &r);
    if (!send_first)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    h = look(h, n, scattered, seed);
  }
  return h;
}

/* The send is posted, its owner sits in a barrier until the receiver has the message. */
static hash_t sender_in_barrier(hash_t h, int mode, int n, MPI_Datatype column, int scattered) {
  int seed = mode * 77 + n;
  MPI_Request r;
  if (rank == 0) {
    fill_bytes(out, n * sizeof(int), seed);
    if (mode % 2)
      MPI_Issend(out, n, MPI_INT, other, 2, MPI_COMM_WORLD, &r);
    else
      MPI_Isend(out, n, MPI_INT, other, 2, MPI_COMM_WORLD, &r);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    memset(in, 0x5a, 2 * n * sizeof(int));
    MPI_Recv(in, n, column, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    h = look(h, n, scattered, seed);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return h;
}

/* Posted before it, waited for after it; on both sides. */
static hash_t both_in_barrier(hash_t h, int mode, int n, MPI_Datatype column, int scattered) {
  MPI_Request r[2];
  fill_bytes(out, n * sizeof(int), rank + mode + n);
  memset(in, 0x5a, 2 * n * sizeof(int));
  if (mode % 2)
    MPI_Issend(out, n, MPI_INT, other, 3, MPI_COMM_WORLD, &r[0]);
  else
    MPI_Isend(out, n, MPI_INT, other, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(in, n, column, other, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&r[mode / 2], MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&r[1 - mode / 2], MPI_STATUS_IGNORE);
  return look(h, n, scattered, other + mode + n);
}

int main(int argc, char **argv) {
  static const int lengths[] = {0, 1, 900, 5000, MAX};
  int k, mode, scattered, all_wrong;
  MPI_Datatype wide;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &wide);
  MPI_Type_commit(&wide);
  for (k = 0; k < 5; k++)
    for (mode = 0; mode < MODES; mode++)
      for (scattered = 0; scattered < 2; scattered++) {
        MPI_Datatype column = scattered ? wide : MPI_INT;
        h = receiver_in_bcast(h, mode, lengths[k], MPI_INT, column, 0);
        h = receiver_in_bcast(h, mode, lengths[k], MPI_INT, column, 1);
        h = sender_in_barrier(h, mode, lengths[k], column, scattered);
        h = both_in_barrier(h, mode, lengths[k], column, scattered);
      }
  MPI_Type_free(&wide);
  report("progress", h);
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wrong: %d\n", all_wrong);
  MPI_Finalize();
  return 0;
}
