// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receives from any source, or with any tag, are posted, and then their rank sits in a collective that the senders only
// reach when their synchronous sends are done: small and large ones, behind standard sends, from several ranks at a
// time, behind other receives, on two communicators, to oneself; hundreds of them, of which some behind hundreds of
// messages that nobody has asked for. What cannot have begun to be received does not end.
//
// RUN: mkdir -p %t && %mpicc -DMPISHM_OFF -I%S/../Inputs -I%S/../../../runtime/include %s -o %t/original
// RUN: mpishmcc -I%S/../Inputs %s -o %t/program
// RUN: %mpiexec -n 4 %t/original > %t/expected && %mpiexec -n 4 %t/program | diff %t/expected -
// (Between nodes, where these messages are the library's, Intel MPI 2021.18 does not end the original either.)
// RUN: %if !mpi-impi %{ %mpiexec --nodes 2 -n 4 %t/program | diff %t/expected - %}
// RUN: env MPISHM_CMA=0 %mpiexec -n 4 %t/program | diff %t/expected -
// RUN: env MPISHM_WINDOW=200K %mpiexec -n 4 %t/program few 2>&1 | FileCheck %s
// RUN: FileCheck %s < %t/expected
// CHECK: synchronous to wildcards:
#include "report.h"
#include <mpishm.h>

enum { MAX = 60000, ROUNDS = 12, RECEIVES = 24, MANY = 100 };

static int rank, size, in[RECEIVES][MAX], out[MAX];

static int length(int from, int k) { return k % 3 == 2 ? MAX - from : (from * 7 + k) % 20; }

// What one rank sent comes in its order; which rank is next is open.
static hash_t add(hash_t h, MPI_Status *status, const int *data) {
  int n;
  MPI_Get_count(status, MPI_INT, &n);
  return h + hash_bytes(hash_number(HASH_START, status->MPI_SOURCE * 100 + status->MPI_TAG), data, n * sizeof *data);
}

// All but the first send to it, synchronously, behind a standard send.
static hash_t from_any(hash_t h, int round) {
  MPI_Request r[RECEIVES];
  MPI_Status status[RECEIVES];
  int k, n = 2 * (size - 1);
  if (rank == 0) {
    for (k = 0; k < n; k++)
      MPISHM_Irecv(in[k], MAX, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[k]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPISHM_Waitall(n, r, status);
    for (k = 0; k < n; k++)
      h = add(h, &status[k], in[k]);
    return h;
  }
  fill_bytes(out, sizeof out, rank + round);
  if (round % 2)
    MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Send(out, length(rank, round + 1), MPI_INT, 0, 5, MPI_COMM_WORLD);
  MPISHM_Ssend(out, length(rank, round), MPI_INT, 0, 5, MPI_COMM_WORLD);
  if (round % 2 == 0)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  return h;
}

// Every rank from its left, with any tag, behind a receive that only its right sends to; and from itself.
static hash_t in_a_ring(hash_t h, int round) {
  MPI_Request r[4];
  MPI_Status status[3];
  int left = (rank + size - 1) % size, right = (rank + 1) % size, k;
  MPISHM_Irecv(in[0], MAX, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]);
  MPISHM_Irecv(in[1], MAX, MPI_INT, left, 7, MPI_COMM_WORLD, &r[1]); // waits behind the first
  MPISHM_Irecv(in[2], MAX, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD, &r[2]);
  fill_bytes(out, sizeof out, rank + round);
  MPISHM_Issend(out, length(rank, round), MPI_INT, right, 6, MPI_COMM_WORLD, &r[3]);
  MPISHM_Ssend(out, length(rank, round + 1), MPI_INT, right, 7, MPI_COMM_WORLD);
  MPISHM_Wait(&r[3], MPI_STATUS_IGNORE);
  MPISHM_Ssend(out, length(rank, round + 2), MPI_INT, rank, 8, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Waitall(3, r, status);
  for (k = 0; k < 3; k++)
    h = hash_number(h, (long long)add(0, &status[k], in[k]));
  return h;
}

// A receive that is posted on one communicator looks what has come on the other, too, where a wildcard waits.
static hash_t on_two_communicators(hash_t h, MPI_Comm other) {
  MPI_Request r[3];
  MPI_Status status[2];
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPISHM_Irecv(in[0], MAX, MPI_INT, MPI_ANY_SOURCE, 11, other, &r[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  fill_bytes(out, sizeof out, rank);
  MPISHM_Issend(out, length(rank, 2), MPI_INT, right, 11, other, &r[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Irecv(in[1], MAX, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &r[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank % 2)
    MPISHM_Wait(&r[2], MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Send(out, 10, MPI_INT, right, 12, MPI_COMM_WORLD);
  MPISHM_Waitall(2, r, status);
  if (rank % 2 == 0)
    MPISHM_Wait(&r[2], MPI_STATUS_IGNORE);
  return add(add(h, &status[0], in[0]), &status[1], in[1]);
}

// As many receives as there is no table for, and as many sends that wait; then one that waits behind messages which are
// received last.
static hash_t very_many(hash_t h) {
  MPI_Request r[2 * MANY];
  MPI_Status status[MANY];
  int left = (rank + size - 1) % size, right = (rank + 1) % size, k;
  for (k = 0; k < MANY; k++)
    MPISHM_Irecv(&in[0][k], 1, MPI_INT, k % 3 ? MPI_ANY_SOURCE : left, k % 2 ? MPI_ANY_TAG : 13, MPI_COMM_WORLD, &r[k]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (k = 0; k < MANY; k++) {
    out[k] = rank * MANY + k;
    MPISHM_Issend(&out[k], 1, MPI_INT, right, 13, MPI_COMM_WORLD, &r[MANY + k]);
  }
  MPISHM_Waitall(MANY, r + MANY, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Waitall(MANY, r, status);
  for (k = 0; k < MANY; k++)
    h = hash_number(h, (long long)add(0, &status[k], &in[0][k]));

  MPISHM_Irecv(in[0], 1, MPI_INT, MPI_ANY_SOURCE, 13, MPI_COMM_WORLD, &r[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (k = 0; k < MANY; k++)
    MPISHM_Send(&out[k], 1, MPI_INT, right, 14, MPI_COMM_WORLD);
  MPISHM_Ssend(out, 1, MPI_INT, right, 13, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Wait(&r[0], MPI_STATUS_IGNORE);
  for (k = 0; k < MANY; k++)
    MPISHM_Recv(&in[1][k], 1, MPI_INT, left, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return hash_bytes(hash_number(h, in[0][0]), in[1], MANY * sizeof in[1][0]);
}

// A synchronous send with no receive that could take it is not done, whatever else waits.
static hash_t not_begun(hash_t h) {
  MPI_Request r[2];
  MPI_Status status;
  int done = 0, right = (rank + 1) % size;
  MPISHM_Irecv(in[0], MAX, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &r[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Issend(out, 10, MPI_INT, right, 10, MPI_COMM_WORLD, &r[1]);
  for (int k = 0; k < 3000 && !done; k++)
    MPISHM_Test(&r[1], &done, &status);
  h = hash_number(h, done);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Recv(in[1], MAX, MPI_INT, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &status);
  MPISHM_Wait(&r[1], MPI_STATUS_IGNORE);
  MPISHM_Cancel(&r[0]);
  MPISHM_Wait(&r[0], &status);
  MPI_Test_cancelled(&status, &done);
  MPI_Barrier(MPI_COMM_WORLD);
  return hash_number(h, done);
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Comm other;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < ROUNDS; round++)
    h = in_a_ring(from_any(h, round), round);
  MPISHM_Comm_dup(MPI_COMM_WORLD, &other);
  for (int round = 0; round < ROUNDS; round++)
    h = on_two_communicators(h, other);
  MPI_Comm_free(&other);
  if (argc == 1) // so many messages that wait need room
    h = very_many(h);
  report("synchronous to wildcards", not_begun(h));
  return MPI_Finalize();
}
