// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of messages with one tag, and which communicator a call makes, depend on how far a run of statements comes:
// it is left by longjmp, and functions of the program go on when it ends.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"
#include <setjmp.h>

static int rank, other, in, out;
static hash_t hash = HASH_START;
static jmp_buf back;
static MPI_Comm first = MPI_COMM_NULL, second = MPI_COMM_NULL;

#define IN &in, 1, MPI_INT, other
#define OUT &out, 1, MPI_INT, other

static void got(MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  hash = hash_number(hash, in), out++;
}

static void some(int step) {
  MPI_Request request;
  MPI_Irecv(IN, 1, MPI_COMM_WORLD, &request);
  MPI_Send(OUT, 1, MPI_COMM_WORLD);
  got(&request);
  if (step == rank)
    longjmp(back, 1);
  MPI_Irecv(IN, 1, MPI_COMM_WORLD, &request);
  MPI_Send(OUT, 1, MPI_COMM_WORLD);
  got(&request);
}

// One rank leaves before the second, which the other comes to: both make one communicator, by calls in two places.
static void make(int leaves) {
  if (!setjmp(back)) {
    if (leaves)
      longjmp(back, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
  } else {
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
  }
}

static void at_exit(void) {
  MPI_Request request;
  MPI_Irecv(IN, 1, MPI_COMM_WORLD, &request);
  MPI_Send(OUT, 1, MPI_COMM_WORLD);
  got(&request);
  report("jumps", hash);
  MPI_Comm_free(first == MPI_COMM_NULL ? &second : &first);
  MPI_Finalize();
}

int main(int argc, char **argv) {
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  out = 10 * rank;
  other = 1 - rank;
  atexit(at_exit);
  // Three times each, of which one ends by a jump: the second exchange of a rank meets the first of the other's next.
  for (volatile int step = 0; step < 3; step++)
    if (!setjmp(back))
      some(step);
  make(rank == 0);
  if (rank == 0) {
    MPI_Irecv(IN, 2, second, &request);
    MPI_Send(OUT, 2, second);
  } else {
    MPI_Irecv(IN, 2, first, &request);
    MPI_Send(OUT, 2, first);
  }
  got(&request);
  exit(0);
}
