// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers: nobody is through before all have come, on every communicator, through the window and through MPI in turns,
// with messages under way, and on communicators that are freed while others are in use.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/static
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/shared
//
// RUN: mpiexec -n 4 %t/static | FileCheck %s
// RUN: mpiexec -n 3 %t/shared | FileCheck %s
// RUN: mpiexec -n 1 %t/static | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 4 %t/static | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/static | FileCheck %s
// RUN: env MPISHM_DISABLE=1 mpiexec -n 4 %t/static | FileCheck %s
// No room for an area, and none for slots of the usual size.
// RUN: env MPISHM_WINDOW=140K mpiexec -n 4 %t/static | FileCheck %s
// RUN: env MPISHM_WINDOW=400K mpiexec -n 4 %t/static | FileCheck %s
// CHECK: all right
//
// What goes through the window is no call of MPI's.
// RUN: env MPISHM_STATS=%t/stats.json mpiexec -n 2 %t/static | FileCheck %s
// RUN: %python %S/../Inputs/check_statistics.py %t/stats.json %s ranks=2 "WORLD calls 400"
#include "report.h"
#include <mpishm.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 40, PARTS = 4 };

static int rank, size;

static void wrong(const char *what, int number) {
  fprintf(stderr, "rank %d: %s is wrong (%d)\n", rank, what, number);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Each tells the next one, before the barrier, in a message that must be there after it. */
static void with_messages(MPI_Comm comm, int round) {
  int me, members, found = 0, value = -1, sent;
  MPI_Status status;
  MPI_Request request;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  sent = 1000 * me + round;
  MPISHM_Isend(&sent, 1, MPI_INT, (me + 1) % members, 3, comm, &request);
  MPISHM_Barrier(comm);
  if (size > 1 && round % 2) {
    for (int tries = 0; !found && tries < 100000; tries++) /* MPI may need some to bring it from another node */
      MPISHM_Iprobe((me + members - 1) % members, 3, comm, &found, &status);
    if (!found)
      wrong("a message before the barrier", round);
  }
  MPISHM_Recv(&value, 1, MPI_INT, (me + members - 1) % members, 3, comm, &status);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  if (value != 1000 * ((me + members - 1) % members) + round)
    wrong("a message", value);
}

/* MPI_Wtime may start with each process. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The next one is late by a while each time; the time of the last to come is before that of the first to go. */
static void all_have_come(MPI_Comm comm, int round) {
  int me, members;
  double came, last = 0, left, first = 0;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  if (round % members == me)
    usleep(3000);
  came = now();
  MPISHM_Barrier(comm);
  left = now();
  MPI_Allreduce(&came, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(&left, &first, 1, MPI_DOUBLE, MPI_MIN, comm);
  if (first < last)
    wrong("the order of a barrier", round);
}

static void on_many_communicators(void) {
  MPI_Comm parts[PARTS], pair, unknown;
  MPI_Comm_dup(MPI_COMM_WORLD, &unknown);
  for (int i = 0; i < PARTS; i++)
    MPISHM_Comm_dup(MPI_COMM_WORLD, &parts[i]);
  MPISHM_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &pair);
  for (int round = 0; round < ROUNDS; round++) {
    with_messages(parts[round % PARTS], round);
    MPISHM_Barrier(unknown);
    if (round % 3 == 0)
      with_messages(pair, round);
    if (round % 5 == 0)
      MPI_Barrier(parts[round % PARTS]);
    if (round % 10 == 0) { /* some have not been used when they go */
      MPI_Comm_free(&parts[round % PARTS]);
      MPISHM_Comm_dup(pair, &parts[round % PARTS]);
    }
  }
  for (int i = 0; i < PARTS; i++)
    MPI_Comm_free(&parts[i]);
  MPI_Comm_free(&unknown);
  MPI_Comm_free(&pair);
}

/* A wildcard of the program's gets no message of the runtime's. */
static void behind_a_wildcard(void) {
  MPI_Comm comm;
  MPI_Request request;
  MPI_Status status;
  int value = -1;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  MPISHM_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
  for (int i = 0; i < 3; i++)
    MPISHM_Barrier(comm);
  MPISHM_Send(&rank, 1, MPI_INT, (rank + 1) % size, 5, comm);
  MPISHM_Wait(&request, &status);
  if (value != (rank + size - 1) % size || status.MPI_TAG != 5)
    wrong("a message to a wildcard", value);
  MPI_Comm_free(&comm);
}

/* A synchronous message whose receive is posted, while its receiver sits in a barrier. */
static void sends_end(void) {
  MPI_Request request;
  int large[30000] = {rank}, in[30000] = {-1};
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPISHM_Irecv(in, 30000, MPI_INT, before, 1, MPI_COMM_WORLD, &request);
  if (rank == 0)
    MPISHM_Barrier(MPI_COMM_WORLD);
  if (size > 1)
    MPISHM_Ssend(large, 30000, MPI_INT, next, 1, MPI_COMM_WORLD);
  else
    MPISHM_Send(large, 30000, MPI_INT, next, 1, MPI_COMM_WORLD);
  if (rank != 0)
    MPISHM_Barrier(MPI_COMM_WORLD);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  if (in[0] != before)
    wrong("a synchronous message", in[0]);
}

int main(int argc, char **argv) {
  MPI_Comm null = MPI_COMM_NULL;
  setenv("MPISHM_NET", "0", 1); /* it would serve MPI's, too */
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 200; i++)
    MPISHM_Barrier(MPI_COMM_WORLD); // WORLD
  for (int round = 0; round < 8; round++)
    all_have_come(MPI_COMM_WORLD, round);
  on_many_communicators();
  behind_a_wildcard();
  if (size > 1)
    MPISHM_Barrier(MPI_COMM_SELF);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPISHM_Barrier(null) == MPI_SUCCESS)
    wrong("a barrier of no communicator", 0);
  sends_end();
  MPI_Finalize();
  if (rank == 0)
    printf("all right\n");
  return 0;
}
