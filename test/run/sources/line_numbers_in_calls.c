// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of a line that a function of the program, or one of the C library, makes a tag of: the include that is
// added must not move it. What is told with the name of the file does not count.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --input-file=%t/rewritten/line_numbers_in_calls.c --check-prefix=TEXT
// RUN: sed 's/tag_of(__LINE__)/33/; s/abs(__LINE__)/35/' %s > %t/told.c
// RUN: mpishm-rewrite %t/told.c -- %mpiflags -I%S/../Inputs | FileCheck %s --check-prefix=TOLD
// TOLD-NOT: {{^}}+#line
// TOLD: +#include <mpishm.h>
// TOLD-NOT: {{^}}+#line
#include "report.h"
#include <stdlib.h>

// TEXT: {{^}}#line {{[0-9]+$}}
static int tag_of(int line) { return line; }
static void tell(const char *file, int line) {
  if (line < 0)
    printf("%s:%d, called in line %d\n", file, line, __LINE__);
}

int main(int argc, char **argv) {
  int rank, size, in[2] = {-1, -1};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Irecv(&in[0], 1, MPI_INT, left, 33, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, left, 35, MPI_COMM_WORLD, &requests[1]);
  // The numbers of the next line and of the one after the next.
  MPI_Send(&rank, 1, MPI_INT, right, tag_of(__LINE__), MPI_COMM_WORLD);
  tell(__FILE__, __LINE__);
  MPI_Send(&size, 1, MPI_INT, right, abs(__LINE__), MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  report("lines", hash_number(hash_number(1, in[0]), in[1]));
  MPI_Finalize();
  return 0;
}
