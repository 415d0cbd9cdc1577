// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries differ in which error handler they call where nobody has set the communicator's or the window's own, and
// for what completions find. The runtime calls the one that the library would have: the program prints the same.
//
// With Open MPI a handler that nobody has set ends the program (error_handler.c has the rest).
// UNSUPPORTED: mpi-openmpi
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"

static MPI_Comm duplicate, grid, later, doomed[2];
static int rank, called;

static void on_error(MPI_Comm *comm, int *error, ...) {
  int class;
  MPI_Error_class(*error, &class);
  called++;
  if (rank == 1)
    printf("called for %s with %d\n",
           *comm == MPI_COMM_WORLD  ? "the world"
           : *comm == MPI_COMM_SELF ? "itself"
           : *comm == duplicate     ? "the duplicate"
           : *comm == grid          ? "the grid"
           : *comm == later         ? "the later one"
                                    : "another",
           class);
}

enum { BLOCKING, SENDRECV, WAIT, WAITALL, TESTSOME, MATCHED, PERSISTENT, COLLECTIVE, WINDOW, WAYS, FREED };

static int fail_on_window(MPI_Comm comm) {
  int *memory;
  MPI_Win win;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &win);
  int error = MPI_Win_lock_all(1 << 20, win);
  MPI_Win_free(&win);
  return error;
}

/* Rank 1 receives what is too long from rank 0. */
static int fail(int way, MPI_Comm *comm) {
  int in[2] = {0}, out[4] = {1, 2, 3, 4}, index[2], done = 0, error = MPI_SUCCESS;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (way == WINDOW)
    return fail_on_window(*comm);
  if (way == COLLECTIVE)
    return MPI_Bcast(in, 2, MPI_INT, 7, *comm);
  if (way == SENDRECV)
    return MPI_Sendrecv(out, rank == 0 ? 4 : 2, MPI_INT, 1 - rank, 0, in, 2, MPI_INT, 1 - rank, 0, *comm,
                        MPI_STATUS_IGNORE);
  if (rank == 0)
    return MPI_Send(out, 4, MPI_INT, 1, 0, *comm);
  if (way == BLOCKING)
    return MPI_Recv(in, 2, MPI_INT, 0, 0, *comm, MPI_STATUS_IGNORE);
  if (way == MATCHED) {
    MPI_Message message;
    MPI_Mprobe(0, 0, *comm, &message, MPI_STATUS_IGNORE);
    return MPI_Mrecv(in, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
  if (way == PERSISTENT) {
    MPI_Recv_init(in, 2, MPI_INT, 0, 0, *comm, requests);
    MPI_Start(requests);
    error = MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Request_free(requests);
    return error;
  }
  MPI_Irecv(in, 2, MPI_INT, 0, 0, *comm, requests);
  if (way == FREED)
    MPI_Comm_free(comm);
  if (way == WAITALL)
    return MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (way != TESTSOME)
    return MPI_Wait(requests, MPI_STATUS_IGNORE);
  while (!done)
    error = MPI_Testsome(2, requests, &done, index, MPI_STATUSES_IGNORE);
  return error;
}

/* What a call returns after a handler of the program's differs: MPICH 5 returns no error. */
static void fail_once(const char *what, int way, MPI_Comm *comm) {
  int class, before = called;
  MPI_Error_class(fail(way, comm), &class);
  if (rank == 1)
    printf("%s, %d: %d, %d calls\n", what, way, called == before ? class : -1, called);
}

static void fail_all_ways(const char *what, MPI_Comm comm) {
  for (int way = 0; way < WAYS; way++)
    fail_once(what, way, &comm);
}

int main(int argc, char **argv) {
  int size, periodic = 1;
  MPI_Errhandler handler;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
  MPI_Comm_dup(MPI_COMM_WORLD, &doomed[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &doomed[1]);

  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &later);
  fail_all_ways("unset", duplicate);
  fail_all_ways("unset grid", grid);
  fail_all_ways("inherited", later);
  fail_once("unset and freed", FREED, &doomed[0]);
  fail_all_ways("the world", MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(duplicate, handler);
  fail_all_ways("set", duplicate);
  MPI_Comm_set_errhandler(doomed[1], handler);
  fail_once("set and freed", FREED, &doomed[1]);
  MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN);
  fail_all_ways("returned", duplicate);

  if (rank == 0 && doomed[0] != MPI_COMM_NULL) {
    MPI_Comm_free(&doomed[0]);
    MPI_Comm_free(&doomed[1]);
  }
  MPI_Comm_free(&duplicate);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&later);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
