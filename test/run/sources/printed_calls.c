// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that print the calls which they check: the text stays what it was. What is called in other ways beside them is
// rewritten with them.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --input-file=%t/rewritten/printed_calls.c --check-prefix=TEXT
#include "report.h"
#include <string.h>

// TEXT: {{^}}#include <mpishm.h>
// TEXT-NEXT: {{^}}#define MPI_
// TEXT: {{^}}#define MPI_Irecv MPISHM_Irecv
// TEXT: CHECK(MPI_Irecv(&in[0], 1, MPI_INT, left,
// TEXT: {{^}}  MPI_Irecv(&in[1], 1, MPI_INT, left,
// TEXT: {{^}}  MPISHM_Send(&in[0],
static hash_t seen = 1;

static int check(int error, const char *text, int line) {
  seen = hash_bytes(seen, text, strlen(text));
  if (error != MPI_SUCCESS)
    fprintf(stderr, "line %d: %s\n", line, text);
  return error;
}
#define CHECK(call) check(call, #call, 0)
#define CHECK_ALL(...) check((__VA_ARGS__), "all of " #__VA_ARGS__, 1)

int main(int argc, char **argv) {
  int rank, size, in[3] = {-1, -1, -1}, sum = 0;
  MPI_Request requests[4];
  MPI_Comm ring;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
  CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &ring));
  int left = (rank + size - 1) % size, right = (rank + 1) % size;

  CHECK(MPI_Irecv(&in[0], 1, MPI_INT, left, 1, ring, &requests[0]));
  MPI_Irecv(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
  CHECK_ALL(MPI_Isend(&rank, 1, MPI_INT, right, 1, ring, &requests[2]));
  if (CHECK(MPI_Isend(&size, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[3])) == MPI_SUCCESS)
    CHECK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
  CHECK_ALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, ring));
  MPI_Send(&in[0], 0, MPI_INT, right, 3, ring);
  MPI_Recv(&in[2], 1, MPI_INT, left, 3, ring, MPI_STATUS_IGNORE);
  seen = hash_number(hash_number(hash_number(seen, in[0]), in[1]), sum);
  MPI_Comm_free(&ring);
  report("printed", seen);
  CHECK(MPI_Finalize());
  return 0;
}
