// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What else happens to requests: freed while the message is on its way, never completed at all, receives that are
// cancelled, null requests in every list, copies of a handle, an exchange of which half the requests complete later.
//
// RUN: %run-both %s --work %t
#include "report.h"

static int rank, size;

static hash_t freed(hash_t h) {
  static int in[3000], out[3000];
  MPI_Request r[2];
  fill_bytes(out, sizeof out, rank);
  MPI_Irecv(in, 3000, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, 3000, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Request_free(&r[1]);
  h = hash_number(h, r[1] == MPI_REQUEST_NULL);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD); /* every send is complete now */
  return hash_bytes(h, in, sizeof in);
}

/* A send whose request the program forgets. */
static hash_t forgotten(hash_t h) {
  static int out, in;
  MPI_Request r, lost;
  out = rank + 5;
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, &r);
  MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD, &lost);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return hash_number(h, in);
}

/* One of the requests is no request but says that others are under way. */
static hash_t flagged(hash_t h) {
  int out[2] = {rank, -rank}, in[2] = {0, 0}, k;
  MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  r[2] = (MPI_Request)1;
  for (k = 0; k < 2; k++)
    MPI_Isend(&out[k], 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &r[k]);
  for (k = 0; k < 2; k++)
    MPI_Recv(&in[k], 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (r[2] != MPI_REQUEST_NULL)
    for (k = 0; k < 2; k++)
      MPI_Wait(&r[k], MPI_STATUS_IGNORE);
  return hash_number(hash_number(h, in[0]), in[1]);
}

static hash_t cancelled(hash_t h) {
  int in = -1, out = rank * 3, flag;
  MPI_Request r;
  MPI_Status s;
  MPI_Irecv(&in, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &r); /* nobody sends this yet */
  MPI_Cancel(&r);
  MPI_Wait(&r, &s);
  MPI_Test_cancelled(&s, &flag);
  h = hash_number(hash_number(h, flag), in);
  MPI_Barrier(MPI_COMM_WORLD);
  /* The cancelled receive must not take this one. */
  MPI_Irecv(&in, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &r);
  MPI_Send(&out, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD);
  MPI_Wait(&r, &s);
  MPI_Test_cancelled(&s, &flag);
  return hash_number(hash_number(h, flag), in);
}

static hash_t null_requests(hash_t h) {
  int in[2] = {0, 0}, out[2] = {rank, -rank}, index, flag, count, indices[6];
  MPI_Request r[6] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                      MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status s[6];

  MPI_Waitall(0, r, MPI_STATUSES_IGNORE);
  MPI_Waitall(6, r, s);
  h = hash_status(h, &s[3], MPI_INT);
  MPI_Waitany(6, r, &index, &s[0]);
  h = hash_number(h, index == MPI_UNDEFINED);
  MPI_Waitsome(6, r, &count, indices, s);
  h = hash_number(h, count == MPI_UNDEFINED);
  MPI_Testany(6, r, &index, &flag, &s[0]);
  h = hash_number(h, index == MPI_UNDEFINED && flag);
  MPI_Testall(6, r, &flag, s);
  h = hash_number(h, flag);
  MPI_Test(&r[0], &flag, &s[0]);
  h = hash_number(h, flag);

  MPI_Irecv(&in[0], 1, MPI_INT, (rank + size - 1) % size, 4, MPI_COMM_WORLD, &r[1]);
  MPI_Irecv(&in[1], 1, MPI_INT, (rank + size - 1) % size, 4, MPI_COMM_WORLD, &r[3]);
  MPI_Isend(&out[0], 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD, &r[4]);
  MPI_Isend(&out[1], 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD, &r[0]);
  MPI_Waitall(6, r, s);
  h = hash_status(hash_status(hash_status(h, &s[1], MPI_INT), &s[2], MPI_INT), &s[3], MPI_INT);
  return hash_bytes(h, in, sizeof in);
}

static hash_t halves(hash_t h) {
  static double in[4][400], out[4][400];
  MPI_Request r[8], second[4];
  int i;
  fill_bytes(out, sizeof out, rank + 77);
  for (i = 0; i < 4; i++)
    MPI_Irecv(in[i], 400, MPI_DOUBLE, (rank + size - 1) % size, i, MPI_COMM_WORLD, &r[i]);
  for (i = 0; i < 4; i++)
    MPI_Isend(out[i], 400, MPI_DOUBLE, (rank + 1) % size, i, MPI_COMM_WORLD, &r[4 + i]);
  for (i = 0; i < 4; i++)
    second[i] = r[2 * i + 1]; /* copies of the handles are as good */
  for (i = 0; i < 8; i += 2)
    MPI_Wait(&r[i], MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Waitall(4, second, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, sizeof in);
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  int step;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0; step < 2; step++) {
    h = freed(h);
    h = cancelled(h);
    h = null_requests(h);
    h = halves(h);
  }
  h = forgotten(h);
  h = flagged(h);
  report("requests", h);
  MPI_Finalize();
  return 0;
}
