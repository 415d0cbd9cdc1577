// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and variables under two names: which is an alias, which a weak one, which the name that the assembler gets.
// Each is an exchange with a tag of its own.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"

static int other, in, out;
static hash_t hash = HASH_START;

#define IN &in, 1, MPI_INT, other
#define OUT &out, 1, MPI_INT, other

void complete(MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  hash = hash_number(hash, in), out++;
}
void finish(MPI_Request *request) __attribute__((alias("complete")));
void end(MPI_Request *request) __attribute__((weak, alias("complete")));
void last(MPI_Request *request) __asm__("complete");

MPI_Request pending;
extern MPI_Request third __asm__("pending");

int main(int argc, char **argv) {
  MPI_Request request;
  void (*by_address)(MPI_Request *) = finish;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &other);
  out = 10 * other;
  other = 1 - other;

  MPI_Irecv(IN, 1, MPI_COMM_WORLD, &request);
  MPI_Send(OUT, 1, MPI_COMM_WORLD);
  finish(&request);

  MPI_Irecv(IN, 2, MPI_COMM_WORLD, &request);
  MPI_Send(OUT, 2, MPI_COMM_WORLD);
  end(&request);

  MPI_Irecv(IN, 3, MPI_COMM_WORLD, &request);
  MPI_Send(OUT, 3, MPI_COMM_WORLD);
  last(&request);

  MPI_Irecv(IN, 4, MPI_COMM_WORLD, &request);
  MPI_Send(OUT, 4, MPI_COMM_WORLD);
  by_address(&request);

  MPI_Irecv(IN, 5, MPI_COMM_WORLD, &pending);
  MPI_Send(OUT, 5, MPI_COMM_WORLD);
  complete(&third);

  report("aliases", hash);
  MPI_Finalize();
  return 0;
}
