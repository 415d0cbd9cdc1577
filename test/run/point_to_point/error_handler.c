// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An error goes to the handler of the communicator that it happened on, or to whichever the library calls for what
// completions find, once.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"

static int called[2];

static void on_world(MPI_Comm *comm, int *error, ...) {
  int class;
  MPI_Error_class(*error, &class);
  called[0] += 1 + 100 * (class == MPI_ERR_TRUNCATE);
  (void)comm;
}

static void on_twin(MPI_Comm *comm, int *error, ...) {
  int class;
  MPI_Error_class(*error, &class);
  called[1] += 1 + 100 * (class == MPI_ERR_TRUNCATE);
  (void)comm;
}

int main(int argc, char **argv) {
  int rank, in[4], out[4] = {1, 2, 3, 4};
  MPI_Comm twin;
  MPI_Errhandler world_handler, twin_handler;
  MPI_Request r;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_create_errhandler(on_world, &world_handler);
  MPI_Comm_create_errhandler(on_twin, &twin_handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, world_handler);
  MPI_Comm_set_errhandler(twin, twin_handler);
  if (rank == 0) {
    MPI_Isend(out, 4, MPI_INT, 1, 0, twin, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Isend(out, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Isend(out, 4, MPI_INT, 1, 0, twin, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(in, 2, MPI_INT, 0, 0, twin, MPI_STATUS_IGNORE);
    printf("after the message on the twin: %d %d\n", called[0], called[1]);
    MPI_Recv(in, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("after the message on the world: %d %d\n", called[0], called[1]);
    MPI_Irecv(in, 2, MPI_INT, 0, 0, twin, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    printf("after the request on the twin: %d %d\n", called[0], called[1]);
  }
  MPI_Errhandler_free(&world_handler);
  MPI_Errhandler_free(&twin_handler);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  return 0;
}
