// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of what a condition chooses: of two functions of MPI, of several, of MPI's and the program's own, in macros, as
// addresses, behind a comma. Each name stands for a site of its own, with the same arguments.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --input-file=%t/rewritten/chosen_calls.c --check-prefix=TEXT
#include "report.h"

// TEXT: {{^}}#define SEND(sync) (sync ? MPISHM_Ssend : MPISHM_Send)
// TEXT: {{^}}#define START_SYNCHRONOUS MPISHM_Issend
#define SEND(sync) (sync ? MPI_Ssend : MPI_Send)
#define START_SYNCHRONOUS MPI_Issend

static int own_calls;
static int own_isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm, MPI_Request *r) {
  own_calls++;
  return MPI_Isend(b, n, t, to, tag + 1, comm, r);
}
static int own_dup(MPI_Comm comm, MPI_Comm *to) { return MPI_Comm_split(comm, 0, 0, to); }

int main(int argc, char **argv) {
  int rank, size, step, first, last, in[5] = {0}, out[4] = {0}, sums[2] = {0}, calls = 0;
  hash_t h = HASH_START;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  // TEXT: {{^}}  (argc > 1 ? own_dup : MPISHM_Comm_dup)(
  (argc > 1 ? own_dup : MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  first = (rank + size - 1) % size, last = (rank + 1) % size;
  for (step = 0; step < 6; step++) {
    MPI_Request r[5];
    MPI_Status s[5];
    int own = step % 2, persistent = step % 3 == 1;
    // TEXT: {{^}}    (persistent ? MPISHM_Recv_init : MPISHM_Irecv)(&in[0],
    (persistent ? MPI_Recv_init : MPI_Irecv)(&in[0], 1, MPI_INT, first, 1, comm, &r[0]);
    if (persistent)
      MPI_Start(&r[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, first, 3 + own, comm, &r[1]);
    MPI_Barrier(comm); // so that MPI_Irsend finds its receive
    out[0] = rank + step, out[1] = rank * step, out[2] = rank - step, out[3] = step;
    // TEXT: {{^}}    (step < 2 ? START_SYNCHRONOUS : step < 4 ? MPISHM_Isend : MPISHM_Irsend)(&out[calls++ % 1],
    (step < 2 ? START_SYNCHRONOUS : step < 4 ? MPI_Isend : MPI_Irsend)(&out[calls++ % 1], 1, MPI_INT, last, 1, comm,
                                                                      &r[2]);
    // TEXT: {{^}}    (own ? own_isend : MPISHM_Isend)(&out[1],
    (own ? own_isend : MPI_Isend)(&out[1], 1, MPI_INT, last, 3, comm, &r[3]);
    // TEXT: {{^}}    (*(own ? &MPISHM_Issend : &MPISHM_Isend))(&out[2],
    (*(own ? &MPI_Issend : &MPI_Isend))(&out[2], 1, MPI_INT, last, 5, comm, &r[4]);
    MPI_Recv(&in[2], 1, MPI_INT, first, 5, comm, MPI_STATUS_IGNORE);
    // TEXT: {{^}}    (own ? MPISHM_Waitall : (MPISHM_Waitall))(5,
    (own ? MPI_Waitall : (MPI_Waitall))(5, r, s);
    h = hash_status(hash_status(h, &s[0], MPI_INT), &s[1], MPI_INT);
    if (persistent)
      MPI_Request_free(&r[0]);
    // TEXT: {{^}}    (calls++, MPISHM_Isend)(&out[3],
    (calls++, MPI_Isend)(&out[3], 1, MPI_INT, last, 6, comm, &r[0]);
    MPI_Recv(&in[3], 1, MPI_INT, first, 6, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    // TEXT: {{^}}    (own ? MPISHM_Scan : MPISHM_Exscan)(in,
    (own ? MPI_Scan : MPI_Exscan)(in, sums, 2, MPI_INT, MPI_SUM, comm);
    if (rank % 2)
      MPI_Recv(&in[4], 1, MPI_INT, first, 7, comm, MPI_STATUS_IGNORE);
    SEND(own)(&out[0], 1, MPI_INT, last, 7, comm);
    if (rank % 2 == 0)
      MPI_Recv(&in[4], 1, MPI_INT, first, 7, comm, MPI_STATUS_IGNORE);
    h = hash_number(hash_bytes(hash_bytes(h, in, sizeof in), sums, sizeof sums), own_calls + calls);
  }
  MPI_Comm_free(&comm);
  report("chosen", h);
  return MPI_Finalize();
}
