// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of neighbours with a length of its own for each, found at run time; tags are the number of the step.
//
// RUN: %run-both %s --work %t
// RUN: %run-both %s --work %t --again --ranks 2
#include "report.h"
#include <string.h>

#define MAX_NEIGHBOURS 16

struct neighbour {
  int rank, length;
  double *send, *receive;
};

static int find_neighbours(struct neighbour *n, int rank, int size) {
  int count = 0, other;
  for (other = 0; other < size && count < MAX_NEIGHBOURS; other++)
    if (other != rank && (other + rank) % 3 != 1) {
      n[count].rank = other;
      n[count].length = 10 + 37 * (other + rank) % 500;
      n[count].send = malloc(n[count].length * sizeof(double));
      n[count].receive = calloc(n[count].length, sizeof(double));
      count++;
    }
  return count;
}

int main(int argc, char **argv) {
  int rank, size, count, step, i, k;
  struct neighbour n[MAX_NEIGHBOURS];
  MPI_Request requests[2 * MAX_NEIGHBOURS];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  count = find_neighbours(n, rank, size);
  for (step = 0; step < 5; step++) {
    int posted = 0;
    for (i = 0; i < count; i++)
      MPI_Irecv(n[i].receive, n[i].length, MPI_DOUBLE, n[i].rank, step, MPI_COMM_WORLD, &requests[posted++]);
    for (i = 0; i < count; i++) {
      for (k = 0; k < n[i].length; k++)
        n[i].send[k] = rank + 1000.0 * step + k * 0.25 * n[i].rank;
      MPI_Isend(n[i].send, n[i].length, MPI_DOUBLE, n[i].rank, step, MPI_COMM_WORLD, &requests[posted++]);
    }
    MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
    for (i = 0; i < count; i++)
      h = hash_bytes(h, n[i].receive, n[i].length * sizeof(double));
  }
  for (i = 0; i < count; i++) {
    free(n[i].send);
    free(n[i].receive);
  }
  report("neighbour loop", h);
  MPI_Finalize();
  return 0;
}
