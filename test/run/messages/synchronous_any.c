// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronous sends that receives from any source get. One such receive is posted, and all others send to it at the
// same time, from its node and from another: no more than one of the sends may end before there are more receives,
// whoever gets it, while the receiver sits in a collective. In every form, on a communicator of all and on one of each
// node.
//
// RUN: %run-both %s --work %t
// RUN: env MPISHM_STATS=1 %mpiexec --nodes 2 -n 4 %t/rewritten/program 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: env MPISHM_STATS=1 %mpiexec -n 4 %t/rewritten/program 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: grep -q MPISHM_Init_nodewise %t/rewritten/*.c
//
// TWO:     all sites
// TWO-DAG: sent, in a cell
// TWO-DAG: sent, MPI (communicator of several nodes)
// TWO-DAG: received, MPI (communicator of several nodes)
// TWO:     calls
// ONE:     all sites
// ONE-NOT: {{(sent|received), MPI}}
#include "report.h"

enum { ROUNDS = 12, LARGE = 30000 };

static int rank, size, in[8][LARGE], out[LARGE]; // mpishm: keep

static hash_t add(hash_t h, MPI_Status *status, const int *data) {
  int n;
  MPI_Get_count(status, MPI_INT, &n);
  return h + hash_bytes(hash_number(HASH_START, status->MPI_SOURCE * 100 + status->MPI_TAG), data, n * sizeof *data);
}

/* Polls for a while, and counts in how many ranks the send has ended. */
static int count_ended(MPI_Request *send, int *done) {
  int all, k;
  *done = 0;
  for (k = 0; k < 300 && send && !*done; k++)
    MPI_Test(send, done, MPI_STATUS_IGNORE);
  MPI_Allreduce(done, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* All but rank 0 of MPI_COMM_WORLD send to it. */
static hash_t one_receive_for_all(hash_t h, int round) {
  MPI_Request r[8];
  MPI_Status status[8];
  int k, done, n = round % 3 == 2 ? LARGE - rank : 3 + rank, early = 0;
  if (rank == 0)
    MPI_Irecv(in[0], LARGE, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank > 0) {
    fill_bytes(out, sizeof out, rank + round);
    MPI_Issend(out, n, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[0]);
    early = count_ended(&r[0], &done);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  } else {
    early = count_ended(NULL, &done);
    for (k = 1; k < size - 1; k++)
      MPI_Irecv(in[k], LARGE, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[k]);
    MPI_Waitall(size - 1, r, status);
    for (k = 0; k < size - 1; k++)
      h = add(h, &status[k], in[k]);
  }
  return hash_number(h, early <= 1);
}

/* In a ring of `comm`: persistent, blocking, exchanged, found by probes. */
static hash_t other_forms(hash_t h, MPI_Comm comm) {
  MPI_Request r[3];
  MPI_Status status[3];
  MPI_Message message;
  int me, n, flag, k;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
  fill_bytes(out, sizeof out, rank);
  MPI_Recv_init(in[0], LARGE, MPI_INT, MPI_ANY_SOURCE, 6, comm, &r[0]);
  MPI_Ssend_init(out, 5, MPI_INT, (me + 1) % n, 6, comm, &r[1]);
  for (k = 0; k < 3; k++) {
    MPI_Startall(2, r);
    MPI_Waitall(2, r, status);
    h = hash_number(h, (long long)add(0, &status[0], in[0]));
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);

  MPI_Irecv(in[0], LARGE, MPI_INT, (me + n - 1) % n, MPI_ANY_TAG, comm, &r[0]);
  MPI_Barrier(comm);
  MPI_Ssend(out, LARGE, MPI_INT, (me + 1) % n, 6, comm);
  MPI_Wait(&r[0], &status[0]);
  h = hash_number(h, (long long)add(0, &status[0], in[0]));

  MPI_Irecv(in[0], LARGE, MPI_INT, MPI_ANY_SOURCE, 6, comm, &r[0]);
  MPI_Barrier(comm);
  MPI_Issend(out, 4, MPI_INT, (me + 1) % n, 6, comm, &r[1]);
  MPI_Sendrecv(out, 6, MPI_INT, (me + 1) % n, 7, in[1], LARGE, MPI_INT, MPI_ANY_SOURCE, 7, comm, &status[2]);
  MPI_Waitall(2, r, status);
  h = hash_number(h, (long long)add(0, &status[2], in[1]));
  h = hash_number(h, (long long)add(0, &status[0], in[0]));

  MPI_Issend(out, 8, MPI_INT, (me + 1) % n, 8, comm, &r[0]);
  MPI_Issend(out, LARGE, MPI_INT, (me + 1) % n, 9, comm, &r[1]);
  MPI_Isend(out, 2, MPI_INT, (me + 1) % n, 10, comm, &r[2]);
  MPI_Probe(MPI_ANY_SOURCE, 8, comm, &status[0]);
  MPI_Recv(in[0], LARGE, MPI_INT, status[0].MPI_SOURCE, 8, comm, &status[0]);
  h = hash_number(h, (long long)add(0, &status[0], in[0]));
  MPI_Mprobe(MPI_ANY_SOURCE, 9, comm, &message, &status[0]);
  MPI_Mrecv(in[0], LARGE, MPI_INT, &message, &status[0]);
  h = hash_number(h, (long long)add(0, &status[0], in[0]));
  do
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status[0]);
  while (!flag);
  MPI_Recv(in[0], LARGE, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status[0]);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  return hash_number(h, (long long)add(0, &status[0], in[0]));
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Comm node;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  for (int round = 0; round < ROUNDS; round++)
    h = one_receive_for_all(h, round);
  h = other_forms(other_forms(h, MPI_COMM_WORLD), node);
  MPI_Comm_free(&node);
  report("one receive for all", h);
  return MPI_Finalize();
}
