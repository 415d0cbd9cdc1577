// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child writes into what it has of its parent's buffers, which are in the window: into a copy, as without.
//
// RUN: %run-both %s --work %t --ranks 2 --one-node --moves 2
#include "report.h"
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 50000 };

int main(int argc, char **argv) {
  int rank, status, *in, *out;
  MPI_Request requests[2];
  pid_t child;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  in = malloc(LENGTH * sizeof *in), out = malloc(LENGTH * sizeof *out);
  fill_bytes(out, LENGTH * sizeof *out, rank);
  memset(in, 0, LENGTH * sizeof *in);
  child = fork();
  if (child == 0) {
    memset(out, 1, LENGTH * sizeof *out);
    _exit(0);
  }
  waitpid(child, &status, 0);
  MPI_Irecv(in, LENGTH, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, LENGTH, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  report("fork", hash_number(hash_bytes(HASH_START, in, LENGTH * sizeof *in), status));
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
