// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent requests: made in one function, started many times in another, small and large, one by one and all at
// once, matched with requests of one message, and completed by every completion call; inactive ones count for nothing.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --check-prefix=TEXT < %t/rewritten/persistent.c
#include "report.h"

enum { SMALL = 10, LARGE = 30000, STEPS = 4 };
static int small_in[SMALL], small_out[SMALL], large_in[LARGE], large_out[LARGE], plain_in; // mpishm: keep
static MPI_Request r[4];
static int rank, size;

static void make(int before, int after) {
  // TEXT: MPISHM_Recv_init(small_in
  MPI_Recv_init(small_in, SMALL, MPI_INT, before, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(large_in, LARGE, MPI_INT, before, 2, MPI_COMM_WORLD, &r[1]);
  // TEXT: MPISHM_Send_init(small_out
  MPI_Send_init(small_out, SMALL, MPI_INT, after, 1, MPI_COMM_WORLD, &r[2]);
  MPI_Ssend_init(large_out, LARGE, MPI_INT, after, 2, MPI_COMM_WORLD, &r[3]);
}

static hash_t exchange(hash_t h, int step) {
  int i, index, count, indices[4], done;
  MPI_Status s[4];
  fill_bytes(small_out, sizeof small_out, rank + step);
  fill_bytes(large_out, sizeof large_out, rank + step + 100);
  // TEXT: MPISHM_Startall(4, r)
  MPI_Startall(4, r);
  switch (step % 4) {
  case 0:
    MPI_Waitall(4, r, s);
    h = hash_status(hash_status(h, &s[0], MPI_INT), &s[1], MPI_INT);
    break;
  case 1:
    for (i = 0; i < 4; i++)
      MPI_Waitany(4, r, &index, &s[0]);
    MPI_Waitany(4, r, &index, &s[0]); /* none is active now */
    h = h + (index == MPI_UNDEFINED);
    break;
  case 2:
    for (done = 0; done < 4; done += count)
      MPI_Waitsome(4, r, &count, indices, s);
    MPI_Testsome(4, r, &count, indices, s);
    h += count == MPI_UNDEFINED;
    break;
  default:
    for (done = 0; !done;)
      MPI_Testall(4, r, &done, s);
    MPI_Testany(4, r, &index, &done, &s[0]);
    h += done && index == MPI_UNDEFINED;
  }
  MPI_Wait(&r[0], &s[0]); /* inactive: returns at once */
  h += r[0] != MPI_REQUEST_NULL;
  return hash_bytes(hash_bytes(h, small_in, sizeof small_in), large_in, sizeof large_in);
}

int main(int argc, char **argv) {
  int step, before, after, flag;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  before = (rank + size - 1) % size;
  after = (rank + 1) % size;
  make(before, after);
  MPI_Test(&r[2], &flag, MPI_STATUS_IGNORE);
  h += flag;
  for (step = 0; step < STEPS; step++)
    h = exchange(h, step);
  /* The other side need not be persistent. */
  MPI_Start(&r[2]);
  MPI_Recv(small_in, SMALL, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r[2], MPI_STATUS_IGNORE);
  h = hash_bytes(h, small_in, sizeof small_in);
  for (step = 0; step < 4; step++) {
    MPI_Request_free(&r[step]);
    h += r[step] == MPI_REQUEST_NULL;
  }
  report("persistent", h);
  MPI_Finalize();
  return 0;
}
