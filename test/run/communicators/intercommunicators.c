// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intercommunicators, and what is merged from them, stay with MPI, beside a communicator that does not; their messages
// complete in the same calls.
//
// RUN: %run-both %s --work %t --leaves Isend,Irecv,Sendrecv
// RUN: FileCheck %s --check-prefix=TEXT < %t/rewritten/intercommunicators.c
#include "report.h"

int main(int argc, char **argv) {
  int rank, size, half_rank, merged_rank, step, in[3] = {-1, -1, -1}, out[3], remote;
  MPI_Comm half, inter, merged, again;
  MPI_Request r[6];
  MPI_Status s[6];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &inter);
  MPI_Intercomm_merge(inter, rank % 2, &merged);
  MPI_Comm_dup(inter, &again);
  MPI_Comm_rank(half, &half_rank);
  MPI_Comm_rank(merged, &merged_rank);
  MPI_Comm_remote_size(inter, &remote);
  for (step = 0; step < 5; step++) {
    int before = (rank + size - 1) % size, after = (rank + 1) % size, other = (half_rank + step) % remote;
    int back = (half_rank + remote * 5 - step) % remote, k;
    for (k = 0; k < 3; k++)
      out[k] = rank * 100 + step * 10 + k;
    // TEXT: {{^ +}}MPI_Irecv(&in[0]
    MPI_Irecv(&in[0], 1, MPI_INT, back, 1, inter, &r[0]);
    // TEXT: MPISHM_Irecv(&in[1]
    MPI_Irecv(&in[1], 1, MPI_INT, before, 1, MPI_COMM_WORLD, &r[1]);
    // TEXT: {{^ +}}MPI_Irecv(&in[2]
    MPI_Irecv(&in[2], 1, MPI_INT, (merged_rank + 1) % size, 1, merged, &r[2]);
    MPI_Isend(&out[0], 1, MPI_INT, other, 1, inter, &r[3]);
    // TEXT: MPISHM_Isend(&out[1]
    MPI_Isend(&out[1], 1, MPI_INT, after, 1, MPI_COMM_WORLD, &r[4]);
    MPI_Isend(&out[2], 1, MPI_INT, (merged_rank + size - 1) % size, 1, merged, &r[5]);
    // TEXT: MPISHM_Waitall(6, r
    MPI_Waitall(6, r, s);
    for (k = 0; k < 3; k++)
      h = hash_status(hash_number(h, in[k]), &s[k], MPI_INT);
    MPI_Sendrecv(&out[0], 1, MPI_INT, other, 2, &in[0], 1, MPI_INT, back, 2, again, &s[0]);
    h = hash_status(hash_number(h, in[0]), &s[0], MPI_INT);
  }
  MPI_Comm_free(&again);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  report("intercommunicators", h);
  MPI_Finalize();
  return 0;
}
