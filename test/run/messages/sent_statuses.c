// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI defines little of the status of a send, and libraries leave the rest as it was: so it stays for a send to another
// node, which goes through MPI, also where others of the array do not.
//
// RUN: %run-both %s --work %t --timeout 60
#include "report.h"

static int rank, size;

static int same_node(int other) {
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Group all, near;
  int there;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_group(node, &near);
  MPI_Group_translate_ranks(all, 1, &other, near, &there);
  MPI_Group_free(&all);
  MPI_Group_free(&near);
  MPI_Comm_free(&node);
  return there != MPI_UNDEFINED;
}

/* Sends to `far` and to this rank, and waits for all or tests them; returns what is left in the far send's status. */
static int left(int far, int synchronous, int tests) {
  int out[2] = {rank, rank}, in[2] = {-1, -1}, done = 0, count = 0;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  for (int i = 0; i < 4; i++) {
    statuses[i].MPI_SOURCE = statuses[i].MPI_TAG = statuses[i].MPI_ERROR = 0;
    MPI_Status_set_cancelled(&statuses[i], 0);
    MPI_Status_set_elements(&statuses[i], MPI_BYTE, 7 + i);
  }
  MPI_Irecv(&in[0], 1, MPI_INT, far, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &requests[1]);
  if (synchronous)
    MPI_Issend(&out[0], 1, MPI_INT, far, 3, MPI_COMM_WORLD, &requests[2]);
  else
    MPI_Isend(&out[0], 1, MPI_INT, far, 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&out[1], 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &requests[3]);
  if (!tests)
    MPI_Waitall(4, requests, statuses);
  while (tests && !done)
    MPI_Testall(4, requests, &done, statuses);
  MPI_Get_count(&statuses[2], MPI_BYTE, &count);
  if (in[0] != far || in[1] != rank)
    return -1;
  return count;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int far = (rank + size / 2) % size, near = same_node(far);
  hash_t h = HASH_START;
  for (int i = 0; i < 20; i++) {
    int bytes = left(far, i & 1, i & 2);
    h = hash_number(h, near ? bytes >= 0 : bytes);
  }
  report("what is left of a send's status", h);
  MPI_Finalize();
}
