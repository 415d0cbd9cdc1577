// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thousands of tags; many messages on the way before the first is received, and received in the opposite order; new tags
// in every step.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { TAGS = 3000, STEPS = 4, STEP_TAGS = 200 };

static hash_t all_at_once(hash_t h, int to, int from, int rank) {
  static int in[TAGS][2], out[TAGS][2];
  static MPI_Request sends[TAGS], receives[TAGS];
  int i;
  for (i = 0; i < TAGS; i++) {
    out[i][0] = rank;
    out[i][1] = i * i;
    MPI_Isend(out[i], 1 + i % 2, MPI_INT, to, i, MPI_COMM_WORLD, &sends[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (i = TAGS - 1; i >= 0; i--)
    MPI_Irecv(in[i], 2, MPI_INT, from, i, MPI_COMM_WORLD, &receives[i]);
  MPI_Waitall(TAGS, receives, MPI_STATUSES_IGNORE);
  MPI_Waitall(TAGS, sends, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, sizeof in);
}

static hash_t new_tags(hash_t h, int to, int from, int rank) {
  int step, i;
  for (step = 0; step < STEPS; step++) {
    MPI_Request r[2 * STEP_TAGS];
    double in[STEP_TAGS], out[STEP_TAGS];
    for (i = 0; i < STEP_TAGS; i++) {
      int tag = 10000 + step * STEP_TAGS + i;
      out[i] = rank * 1e6 + tag;
      MPI_Irecv(&in[i], 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &r[2 * i]);
      MPI_Isend(&out[i], 1, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &r[2 * i + 1]);
    }
    MPI_Waitall(2 * STEP_TAGS, r, MPI_STATUSES_IGNORE);
    h = hash_bytes(h, in, sizeof in);
  }
  return h;
}

/* The largest tag that MPI allows. */
static hash_t largest_tag(hash_t h, int to, int from, int rank) {
  int *upper, found, in = -1;
  MPI_Request r[2];
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &found);
  MPI_Irecv(&in, 1, MPI_INT, from, *upper, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&rank, 1, MPI_INT, to, *upper, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_number(h, in);
}

int main(int argc, char **argv) {
  int rank, size;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  h = all_at_once(h, (rank + 1) % size, (rank + size - 1) % size, rank);
  h = new_tags(h, (rank + 1) % size, (rank + size - 1) % size, rank);
  h = largest_tag(h, (rank + 1) % size, (rank + size - 1) % size, rank);
  report("many tags", h);
  MPI_Finalize();
  return 0;
}
