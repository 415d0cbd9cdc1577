// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that paste the names of the functions together: what they make is defined as another, and the text stays, also
// where it is printed.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --input-file=%t/rewritten/pasted_calls.c --check-prefix=TEXT
#include "report.h"
#include <string.h>

// TEXT: {{^}}#include <mpishm.h>
// TEXT-NEXT: {{^}}#define MPI_
// TEXT: {{^}}#define MPI_Irecv MPISHM_Irecv
// TEXT: {{^}}#define MPI_(function) MPI_##function
// TEXT: ALL(Irecv(&in[0], 1, MPI_INT, left,
// TEXT: {{^}}  MPI_Irecv(&in[1], 1, MPI_INT, left,
// TEXT: {{^}}  MPISHM_Send(&in[0],
static hash_t seen = 1;

static int check(int error, const char *text) {
  seen = hash_bytes(seen, text, strlen(text));
  if (error != MPI_SUCCESS)
    fprintf(stderr, "%s\n", text);
  return error;
}
#define MPI_(function) MPI_##function
#define CALL(name, ...) check(MPI_##name(__VA_ARGS__), "MPI_" #name)
#define ALL(call)                                                                                                      \
  do {                                                                                                                 \
    int error = MPI_##call;                                                                                            \
    check(error, #call);                                                                                               \
  } while (0)

int main(int argc, char **argv) {
  int rank, size, in[3] = {-1, -1, -1}, sum = 0;
  MPI_Request requests[4];
  MPI_Comm ring;
  CALL(Init, &argc, &argv);
  CALL(Comm_rank, MPI_COMM_WORLD, &rank);
  ALL(Comm_size(MPI_COMM_WORLD, &size));
  ALL(Comm_dup(MPI_COMM_WORLD, &ring));
  int left = (rank + size - 1) % size, right = (rank + 1) % size;

  ALL(Irecv(&in[0], 1, MPI_INT, left, 1, ring, &requests[0]));
  MPI_Irecv(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
  CALL(Isend, &rank, 1, MPI_INT, right, 1, ring, &requests[2]);
  if (MPI_(Isend)(&size, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[3]) == MPI_SUCCESS)
    ALL(Waitall(4, requests, MPI_STATUSES_IGNORE));
  CALL(Allreduce, &rank, &sum, 1, MPI_INT, MPI_SUM, ring);
  MPI_Send(&in[0], 0, MPI_INT, right, 3, ring);
  MPI_Recv(&in[2], 1, MPI_INT, left, 3, ring, MPI_STATUS_IGNORE);
  seen = hash_number(hash_number(hash_number(seen, in[0]), in[1]), sum);
  MPI_(Comm_free)(&ring);
  report("pasted", seen);
  ALL(Finalize());
  return 0;
}
