// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Legal under MPI's progress rule, and easily deadlocked by a library that moves data only in its own calls:
// a receiver that posted sits in MPI_Barrier while the sender waits for a large send; both sit in the barrier after
// posting; the same with a collective, with a sender that has left for a blocking receive from a third rank, and with
// a receive buffer that only its owner can fill.
// The tokens of the last form are a class of blocking calls only, which stays with MPI.
//
// RUN: %run-both %s --work %t --timeout 60 --leaves Send,Recv
// RUN: %run-both %s --work %t --again --ranks 2 --timeout 60 --leaves Send,Recv
#include "report.h"
#include <string.h>

enum { LARGE = 1 << 19 };

static int *in, *out;

static hash_t receiver_in_barrier(hash_t h, int rank, int size, int n) {
  int other = rank ^ 1;
  MPI_Request r;
  memset(in, 0, LARGE * sizeof(int));
  if (other < size && rank % 2 == 0) {
    MPI_Isend(out, n, MPI_INT, other, 1, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (other < size) {
    MPI_Irecv(in, n, MPI_INT, other, 1, MPI_COMM_WORLD, &r);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return hash_bytes(h, in, n * sizeof(int));
}

static hash_t sender_in_barrier(hash_t h, int rank, int size, int n) {
  int other = rank ^ 1;
  MPI_Request r;
  memset(in, 0, LARGE * sizeof(int));
  if (other < size && rank % 2 == 0) {
    MPI_Isend(out, n, MPI_INT, other, 2, MPI_COMM_WORLD, &r);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (other < size) {
    MPI_Recv(in, n, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return hash_bytes(h, in, n * sizeof(int));
}

/* Into a scattered buffer, which the sender cannot reach. */
static hash_t scattered_in_barrier(hash_t h, int rank, int size, int n) {
  int other = rank ^ 1, k;
  MPI_Request r;
  MPI_Datatype every_second;
  MPI_Type_vector(n / 2, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  memset(in, 0, LARGE * sizeof(int));
  for (k = 0; k < 2; k++) {
    if (other < size && rank % 2 == 0) {
      if (k == 0)
        MPI_Send(out, n / 2, MPI_INT, other, 6, MPI_COMM_WORLD);
      else
        MPI_Ssend(out + 1, n / 2, MPI_INT, other, 6, MPI_COMM_WORLD);
      MPI_Barrier(MPI_COMM_WORLD);
    } else if (other < size) {
      MPI_Irecv(in + k, 1, every_second, other, 6, MPI_COMM_WORLD, &r);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  MPI_Type_free(&every_second);
  return hash_bytes(h, in, n * sizeof(int));
}

static hash_t both_in_barrier(hash_t h, int rank, int size, int n) {
  MPI_Request r[2];
  double sum, mine = rank + 1;
  memset(in, 0, LARGE * sizeof(int));
  MPI_Irecv(in, n, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, n, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(hash_bytes(h, in, n * sizeof(int)), &sum, sizeof sum);
}

/* Rank 0 waits for its send to the next rank, which has posted its receive and then waits for a message of another
 * rank, and so on around: the last of them is sent only after rank 0 is free. */
static hash_t chain(hash_t h, int rank, int size, int n) {
  MPI_Request r;
  int token = 100 + rank, got = -1, before = (rank + size - 1) % size, after = (rank + 1) % size;
  memset(in, 0, LARGE * sizeof(int));
  if (rank == 0) {
    MPI_Isend(out, n, MPI_INT, after, 4, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_INT, after, 5, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    if (rank == 1)
      MPI_Irecv(in, n, MPI_INT, before, 4, MPI_COMM_WORLD, &r);
    MPI_Recv(&got, 1, MPI_INT, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token += got;
    MPI_Send(&token, 1, MPI_INT, after, 5, MPI_COMM_WORLD);
    if (rank == 1)
      MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  return hash_number(hash_bytes(h, in, n * sizeof(int)), got);
}

int main(int argc, char **argv) {
  static const int lengths[] = {10, 20000, LARGE};
  int rank, size, k;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  in = malloc(LARGE * sizeof(int));
  out = malloc(LARGE * sizeof(int));
  for (k = 0; k < 3; k++) {
    fill_bytes(out, LARGE * sizeof(int), rank + k);
    h = receiver_in_barrier(h, rank, size, lengths[k]);
    h = sender_in_barrier(h, rank, size, lengths[k]);
    h = scattered_in_barrier(h, rank, size, lengths[k]);
    h = both_in_barrier(h, rank, size, lengths[k]);
    h = chain(h, rank, size, lengths[k]);
  }
  free(in);
  free(out);
  report("barrier before wait", h);
  MPI_Finalize();
  return 0;
}
