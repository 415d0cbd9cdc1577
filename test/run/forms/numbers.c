// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tags that seem to be other numbers than they are. What receives is left alone with what sends, by a name that goes
// round the runtime; each on a communicator of its own, so that each form is decided alone. The last one is proved.
//
// RUN: %run-both %s --work %t --ranks 2 --leaves Recv
// RUN: FileCheck --input-file=%t/rewritten/numbers.c %s
//
// CHECK: {{ }}MPISHM_Send(&out, 1, MPI_INT, 1, 8, proved);
// CHECK-NOT: {{ }}MPISHM_{{(Send|Recv)}}
// CHECK: {{ }}MPISHM_Recv(&in, 1, MPI_INT, 0, 8, proved
// CHECK-NOT: {{ }}MPISHM_{{(Send|Recv)}}
#include "report.h"
#include <getopt.h>

static int rank, in, out;
static hash_t hash = HASH_START;

static int narrowed(short n) { return n; }

static int wrapped(unsigned n) { return (int)(n + 10u); }

static int in_field(int n) {
  struct {
    unsigned low : 4, high : 4;
  } both;
  both.low = (unsigned)n;
  both.high = 5;
  return both.low;
}

static int of_half(long n) {
  int half;
  memcpy(&half, &n, sizeof half);
  return half;
}

static int by_option(void) {
  int flag = 1;
  char program[] = "p", on[] = "--on", *arguments[] = {program, on, NULL};
  struct option all[] = {{"on", no_argument, &flag, 4}, {NULL, 0, NULL, 0}};
  optind = 1;
  getopt_long(2, arguments, "", all, NULL);
  return flag;
}

static int undeclared();
static int called(void) { return undeclared(5); }
static int undeclared(n)
int n;
{
  return n;
}

static void done(void) { hash = hash_number(hash, in), out++; }

int main(int argc, char **argv) {
  MPI_Comm shorts, wraps, fields, halves, options, calls, proved;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  out = 10 * rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &shorts);
  MPI_Comm_dup(MPI_COMM_WORLD, &wraps);
  MPI_Comm_dup(MPI_COMM_WORLD, &fields);
  MPI_Comm_dup(MPI_COMM_WORLD, &halves);
  MPI_Comm_dup(MPI_COMM_WORLD, &options);
  MPI_Comm_dup(MPI_COMM_WORLD, &calls);
  MPI_Comm_dup(MPI_COMM_WORLD, &proved);
  if (rank == 0) {
    PMPI_Send(&out, 1, MPI_INT, 1, narrowed((short)(65536 + 1)), shorts);
    PMPI_Send(&out, 1, MPI_INT, 1, wrapped((unsigned)-8), wraps);
    PMPI_Send(&out, 1, MPI_INT, 1, in_field(19), fields);
    PMPI_Send(&out, 1, MPI_INT, 1, of_half((7l << 32) + 7), halves);
    PMPI_Send(&out, 1, MPI_INT, 1, by_option(), options);
    PMPI_Send(&out, 1, MPI_INT, 1, called(), calls);
    MPI_Send(&out, 1, MPI_INT, 1, 8, proved);
  } else {
    MPI_Recv(&in, 1, MPI_INT, 0, 8, proved, MPI_STATUS_IGNORE);
    done();
    MPI_Recv(&in, 1, MPI_INT, 0, 1, shorts, MPI_STATUS_IGNORE);
    done();
    MPI_Recv(&in, 1, MPI_INT, 0, 2, wraps, MPI_STATUS_IGNORE);
    done();
    MPI_Recv(&in, 1, MPI_INT, 0, 3, fields, MPI_STATUS_IGNORE);
    done();
    MPI_Recv(&in, 1, MPI_INT, 0, 7, halves, MPI_STATUS_IGNORE);
    done();
    MPI_Recv(&in, 1, MPI_INT, 0, 4, options, MPI_STATUS_IGNORE);
    done();
    MPI_Recv(&in, 1, MPI_INT, 0, 5, calls, MPI_STATUS_IGNORE);
    done();
  }
  report("numbers", hash);
  MPI_Comm *made[] = {&shorts, &wraps, &fields, &halves, &options, &calls, &proved};
  for (int i = 0; i < 7; i++)
    MPI_Comm_free(made[i]);
  MPI_Finalize();
  return 0;
}
