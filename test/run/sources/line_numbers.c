// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of lines as tags, by a macro, too: the include that is added must not move them. Those that are only told
// keep theirs with the others.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --input-file=%t/rewritten/line_numbers.c --check-prefix=TEXT
#include "report.h"

// TEXT: {{^}}#include "report.h"
// TEXT: {{^}}#include <mpishm.h>
// TEXT: {{^}}#line 9{{$}}
// What tells the next line its number stays there.
#define HERE __LINE__
enum { LATER = HERE + 29 };

static hash_t exchange(hash_t h, int left, int right) {
  int in = -1, out = right;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, left, 22, MPI_COMM_WORLD, &request);
  // The number of the next line is expected.
  MPI_Send(&out, 1, MPI_INT, right, HERE, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return hash_number(h, in);
}

int main(int argc, char **argv) {
  int rank, size, in = -1;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Irecv(&in, 1, MPI_INT, left, LATER, MPI_COMM_WORLD, &request);

  // This is the line before 37.
  int tag = __LINE__;
  MPI_Send(&rank, 1, MPI_INT, right, tag + LATER - 37, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash_t h = exchange(hash_number(1, in), left, right);
  report("lines", hash_number(h, __LINE__));
  MPI_Finalize();
  return 0;
}
