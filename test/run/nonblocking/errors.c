// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nonblocking collectives with arguments that MPI refuses, which all members pass: its error, and nobody waits; and
// with data that does not fit, which the member learns of that has no room for it, by the communicator's handler. The
// communicator may be freed while they are under way.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -I%S/../collectives -Wno-stringop-overflow %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// CHECK: all right
#include "collectives.h"

static int handled, seen;

/* After it MPICH 5 returns no error. */
static void handle(MPI_Comm *comm, int *error, ...) {
  (void)comm;
  handled++;
  MPI_Error_class(*error, &seen);
}

/* By both: the handler is called, with an error of the same class. */
#define REFUSED(call)                                                                                                  \
  do {                                                                                                                 \
    MPI_Request request = MPI_REQUEST_NULL;                                                                            \
    int before = handled, error = MPISHM_##call, class = seen;                                                         \
    alike(error, PMPI_##call, -1);                                                                                     \
    if (handled != before + 2 || class != seen)                                                                        \
      wrong("what the handler was called for", class);                                                                 \
    checks++;                                                                                                          \
  } while (0)

static void refused(MPI_Comm comm) {
  int a[8] = {0}, b[8] = {0}, bad[3] = {-1, -1, -1}, at[3] = {0, 1, 2};
  REFUSED(Ibcast(a, -1, MPI_INT, 0, comm, &request));
  REFUSED(Ibcast(a, 1, MPI_INT, size, comm, &request));
  REFUSED(Ibcast(a, 1, MPI_DATATYPE_NULL, 0, comm, &request));
  REFUSED(Iallreduce(a, b, 1, MPI_INT, MPI_OP_NULL, comm, &request));
  REFUSED(Ialltoallv(a, bad, at, MPI_INT, b, bad, at, MPI_INT, comm, &request));
  REFUSED(Igather(a, 1, MPI_INT, b, 1, MPI_INT, -1, comm, &request));
}

/* Rank 0 sends more than the others expect. */
static void too_long(MPI_Comm comm, int sent, int expected) {
  static int data[9000];
  MPI_Request request;
  int before = handled, class, n = rank == 0 ? sent : expected;
  fill_bytes(data, sizeof data, rank);
  MPISHM_Ibcast(data, n, MPI_INT, 0, comm, &request);
  int error = MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Error_class(error, &class);
  if (class != (rank == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE) || handled - before != (rank != 0) ||
      request != MPI_REQUEST_NULL)
    wrong("what became of data that is too long", class);
  checks++;
}

static void freed(void) {
  static int all[3 * 5000], mine[5000];
  MPI_Request request;
  MPI_Comm comm;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 5000; i++)
    mine[i] = rank + i;
  MPISHM_Iallgather(mine, 5000, MPI_INT, all, 5000, MPI_INT, comm, &request);
  MPI_Comm_free(&comm);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < 5000 * size; i++)
    if (all[i] != i / 5000 + i % 5000)
      wrong("what was gathered on a communicator that was freed", i);
  checks++;
}

int main(int argc, char **argv) {
  MPI_Comm comm;
  MPI_Errhandler errhandler;
  start(&argc, &argv);
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handle, &errhandler);
  MPI_Comm_set_errhandler(comm, errhandler);
  refused(comm);
  too_long(comm, 4, 1);
  too_long(comm, 8500, 8000);
  freed();
  freed();
  MPI_Errhandler_free(&errhandler);
  MPI_Comm_free(&comm);
  return finish(10);
}
