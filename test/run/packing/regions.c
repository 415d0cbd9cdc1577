// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that main cuts from one block of memory, for what is sent and for what is received: what is sent is packed
// where it is received, with counts that are computed from others. What is read beyond its own part is not among them.
//
// RUN: env MPISHM_PLACE=0 %run-both %s --packs 2 --work %t
#include "report.h"

#include <stdlib.h>

#define TYPE MPI_DOUBLE
enum { RADIUS = 2, STEPS = 6 };

int main(int argc, char **argv) {
  int rank, size, width, first, last, height = 3;
  double *up_out, *up_in, *down_out, *down_in, *other_out, *other_in;
  hash_t hash = HASH_START;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int up = (rank + 1) % size, down = (rank + size - 1) % size;
  width = 40 / size;
  if (rank % 2) {
    first = (width + 1) * rank;
    last = first + width;
  } else {
    first = width * rank + 1;
    last = first + width;
  }
  width = last - first + 1;
  up_out = malloc(4 * sizeof(double) * RADIUS * width);
  up_in = up_out + RADIUS * width;
  down_out = up_out + 2 * RADIUS * width;
  down_in = up_out + 3 * RADIUS * width;
  other_out = calloc(4 * height, sizeof(double));
  other_in = other_out + 2 * height;
  double *field = malloc((last + 8) * sizeof(double));

  for (int step = 0; step < STEPS; step++) {
    MPI_Request requests[6];
    for (int i = 0; i < last + 8; i++)
      field[i] = rank + 100.0 * step + i;
    MPI_Irecv(up_in, RADIUS * width, TYPE, up, 2, comm, &requests[0]);
    MPI_Irecv(down_in, RADIUS * width, TYPE, down, 1, comm, &requests[1]);
    MPI_Irecv(other_in, 2 * height, TYPE, down, 3, comm, &requests[2]);
    if (step % 2)
      MPI_Barrier(comm);
    for (int kk = 0, j = 5 - RADIUS; j < 5; j++)
      for (int i = first; i <= last; i++)
        up_out[kk++] = field[i] * j;
    MPI_Isend(up_out, RADIUS * width, TYPE, up, 1, comm, &requests[3]);
    for (int kk = 0, j = 1; j <= RADIUS; j++)
      for (int i = first; i <= last; i++)
        down_out[kk++] = field[i] - j;
    MPI_Isend(down_out, RADIUS * width, TYPE, down, 2, comm, &requests[4]);
    for (int kk = 0, j = 0; j < height; j++)
      for (int i = 0; i < 2; i++)
        other_out[kk++] = field[i + j];
    MPI_Isend(other_out, 2 * height, TYPE, up, 3, comm, &requests[5]);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    for (int kk = 0, j = 0; j < RADIUS; j++)
      for (int i = first; i <= last; i++) {
        double x = up_in[kk++];
        hash = hash_bytes(hash, &x, sizeof x);
      }
    for (int kk = 0, j = 0; j < RADIUS; j++)
      for (int i = first; i <= last; i++) {
        double x = down_in[kk++];
        hash = hash_bytes(hash, &x, sizeof x);
      }
    double x = 0;
    for (int i = 0; i < 4 * height; i++)
      x += other_out[i] * (i + 1);
    hash = hash_bytes(hash, &x, sizeof x);
  }
  free(up_out);
  free(other_out);
  free(field);
  report("all", hash);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
