// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank that waits for a message of its own node must go on driving MPI: a rank of another node needs that to get its
// large message, and only then sends the one by which the wait can end. In every way to wait; and the other way round.
//
// RUN: %run-both %s --work %t --timeout 60
#include "report.h"
#include <string.h>

enum { LARGE = 1 << 18, WAYS = 6 };

static int rank, size, in[LARGE], out[LARGE]; // mpishm: keep

/* Waits for a small message of the neighbour, in one of the ways. */
static int wait_for(int peer, int way) {
  int token = -1, flag = 0, index, count;
  MPI_Request r[1];
  if (way == 0) {
    MPI_Recv(&token, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return token;
  }
  MPI_Irecv(&token, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[0]);
  switch (way) {
  case 1: MPI_Wait(&r[0], MPI_STATUS_IGNORE); break;
  case 2: MPI_Waitall(1, r, MPI_STATUSES_IGNORE); break;
  case 3: MPI_Waitany(1, r, &index, MPI_STATUS_IGNORE); break;
  case 4: MPI_Waitsome(1, r, &count, &index, MPI_STATUSES_IGNORE); break;
  default:
    while (!flag)
      MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
  }
  return token;
}

/* The ranks of the first half (one node) each send far and wait near; those of the second half receive the large
 * message, tell the neighbour's partner, and so on: everything hangs on the large messages. */
static hash_t chain(hash_t h, int way) {
  int half = size / 2, far = (rank + half) % size, token = 500 + way;
  MPI_Request r;
  memset(in, 0, sizeof in);
  fill_bytes(out, sizeof out, rank + way);
  if (rank == 0) { /* sends far, then waits for its neighbour, which waits for the far rank */
    MPI_Isend(out, LARGE, MPI_INT, far, 2, MPI_COMM_WORLD, &r);
    h = hash_number(h, wait_for(1, way));
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (rank == half) {
    MPI_Recv(in, LARGE, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    h = hash_bytes(h, in, sizeof in);
    MPI_Isend(&token, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    int got = -1;
    MPI_Irecv(&got, 1, MPI_INT, half, 3, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Send(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    h = hash_number(h, got);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return h;
}

int main(int argc, char **argv) {
  int way;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (way = 0; way < WAYS; way++)
    h = chain(h, way);
  report("other node", h);
  MPI_Finalize();
  return 0;
}
