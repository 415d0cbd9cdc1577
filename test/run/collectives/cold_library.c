// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library whose first calls on a communicator are slow, as one that makes memory to share then, must not lose the
// trial by them. Here the library is what this program has in front of it: a broadcast that takes no time, as all have
// its data, but for the first calls on each communicator, which take long. It is counted how many of the broadcasts
// soon after the first trial are the library's; a rank that loses its core may spoil some of the communicators, not
// all.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: env MPISHM_TRIALS=1 mpiexec -n 2 %t/program tried | FileCheck %s
// RUN: env MPISHM_TRIALS=0 mpiexec -n 2 %t/program never | FileCheck %s
// CHECK: all right
#include "collectives.h"
#include <time.h>

enum { BYTES = 64 << 10, COMMUNICATORS = 9, COLD = 5, DECIDED = 100, MANY = 200 };

static int calls, by_library;

/* What libmpishm hands on comes by here. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  struct timespec time = {0, 30000000};
  (void)buffer, (void)count, (void)datatype, (void)root, (void)comm;
  by_library++;
  if (calls++ < COLD)
    nanosleep(&time, NULL);
  return MPI_SUCCESS;
}

/* Whether most of the broadcasts on a communicator are the library's, once the first trial is over. */
static int prefers_library(char *buffer) {
  MPI_Comm comm;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  calls = 0;
  for (int i = 0; i < MANY; i++) {
    if (i == DECIDED)
      by_library = 0;
    MPISHM_Bcast(buffer, BYTES, MPI_BYTE, 0, comm);
  }
  MPI_Comm_free(&comm);
  return by_library > (MANY - DECIDED) / 2;
}

int main(int argc, char **argv) {
  int preferred = 0;
  start(&argc, &argv);
  char *buffer = allocate(BYTES, 0);
  memset(buffer, 5, BYTES);
  for (int i = 0; i < COMMUNICATORS; i++)
    preferred += prefers_library(buffer);
  int is_right = strcmp(argv[1], "tried") == 0 ? preferred >= COMMUNICATORS / 3 : preferred == 0;
  checks++;
  if (!is_right)
    wrong("the number of communicators whose broadcasts are left to the library", preferred);
  release(buffer, 0);
  return finish(1);
}
