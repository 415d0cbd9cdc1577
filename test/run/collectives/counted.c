// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some libraries add in another order once a communicator has had some collectives, those included that libmpishm does
// in their place: sums and maxima that stay the library's have the bits of the original program, from the first one on,
// whatever came before. Which kinds of collectives share a count is the library's affair, and another between nodes.
//
// RUN: %run-both %s --work %t
#include "report.h"
#include <math.h>
#include <mpi.h>
#include <string.h>

enum { COUNT = 127, CALLS = 12 };

/* Zeros of both signs, numbers that are none, and such that the last bits of their sum tell the order. */
static void fill(double *values, int rank, int call) {
  for (int i = 0; i < COUNT; i++)
    values[i] = i % 5 == 0   ? (rank % 2 ? 0.0 : -0.0)
                : i % 5 == 1 ? (rank == i % 4 ? NAN : 1.0 / (rank + i))
                             : sin(i * 1.7 + rank + call) * pow(10, (i + rank) % 20);
}

enum { KINDS = 6, ALL_KINDS = KINDS, LONG = 14000 };

/* One of the collectives that libmpishm does itself. */
static void before(int kind, MPI_Comm comm) {
  static char text[LONG];
  int word = kind, sum;
  if (kind == 0)
    MPI_Barrier(comm);
  else if (kind == 1)
    MPI_Bcast(&word, 1, MPI_INT, 0, comm);
  else if (kind == 2)
    MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, comm);
  else if (kind == 3)
    MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
  else if (kind == 4)
    MPI_Bcast(text, LONG, MPI_CHAR, 0, comm);
  else
    MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_MAX, comm);
}

/* After so many others, of one kind or in turn, some of the library's. */
static hash_t reductions(MPI_Comm comm, int kind, int others) {
  double values[COUNT], result[COUNT];
  hash_t h = HASH_START;
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < others; i++)
    before(kind == ALL_KINDS ? i % KINDS : kind, comm);
  for (int call = 0; call < CALLS; call++) {
    fill(values, rank, call);
    memset(result, 0, sizeof result);
    if (call % 3 == 0)
      MPI_Reduce(values, result, COUNT, MPI_DOUBLE, MPI_MAX, size - 1, comm);
    else if (call % 3 == 1)
      MPI_Reduce(values, result, COUNT, MPI_DOUBLE, MPI_SUM, size - 1, comm);
    else
      MPI_Allreduce(values, result, COUNT, MPI_DOUBLE, MPI_SUM, comm);
    h = hash_bytes(h, result, sizeof result);
  }
  return h;
}

static hash_t after(int kind, int others, int rank, hash_t h) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, others % 2 && rank == 0 ? MPI_UNDEFINED : 0, -rank, &comm);
  if (comm != MPI_COMM_NULL) {
    h = hash_number(h, reductions(comm, kind, others));
    MPI_Comm_free(&comm);
  }
  return h;
}

int main(int argc, char **argv) {
  int rank;
  hash_t h = HASH_START;
  char name[40];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int others = 0; others < 8; others++) {
    h = after(ALL_KINDS, others, rank, h);
    snprintf(name, sizeof name, "after %d", others);
    report(name, h);
  }
  for (int kind = 0; kind < KINDS; kind++) {
    h = after(kind, 4, rank, h);
    h = after(kind, 9, rank, h);
    snprintf(name, sizeof name, "after some of kind %d", kind);
    report(name, h);
  }
  MPI_Finalize();
  return 0;
}
