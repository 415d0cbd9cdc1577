// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What zero_regions.py changes in one place at a time: buffers that main cuts from one block of memory.
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPE MPI_DOUBLE
enum { RADIUS = 2 };
static double kept;
// GLOBALS

int main(int argc, char **argv) {
  int rank, size, n = 9, width, first, last;
  double *out, *in, *other, *cells;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  width = n / size;
  if (rank < 2) {
    first = width * rank;
    last = first + 3;
  } else {
    first = (width + 1) * rank;
    last = first + 3;
  }
  width = last - first + 1;
  // WIDTH
  cells = calloc(last + 9, sizeof(double));
  if (size > 0) {
    out = malloc(4 * RADIUS * width * sizeof(double));
    if (!out)
      MPI_Abort(MPI_COMM_WORLD, 1);
    in = out + RADIUS * width;
    other = out + 2 * RADIUS * width;
  }
  // BEFORE
  for (int step = 0; step < 3; step++) {
    MPI_Irecv(in, RADIUS * width, TYPE, left, 1, MPI_COMM_WORLD, &requests[0]);
    for (int k = 0, j = 3; j < 3 + RADIUS; j++)
      for (int i = first; i <= last; i++)
        out[k++] = cells[i] + j;
    MPI_Isend(out, RADIUS * width, TYPE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int k = 0, j = 0; j < RADIUS; j++)
      for (int i = first; i <= last; i++) {
        cells[i + 1] = in[k++];
      }
    // STEP
  }
  // END
  printf("%g %g %d\n", kept, cells[first], other != in);
  free(out);
  MPI_Finalize();
  return 0;
}
