// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small messages whose circumstances change from one to the next: another size, datatype or communicator, handles that
// were freed and are given out again, receives before and after their message, wildcards, empty and null messages, what
// MPI refuses, and arrays in which they stand before, between and behind others.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { MOST = 70, STEPS = 24, N = 8 };

static int rank, size, before, after;
static unsigned char in[N][MOST + 8], out[N][MOST];
static MPI_Request r[2 * N];
static MPI_Status s[2 * N];

static hash_t take(hash_t h, int count) {
  int i;
  for (i = 0; i < count; i++)
    h = hash_status(h, &s[i], MPI_BYTE);
  return hash_bytes(h, in, sizeof in);
}

/* Every size around that of a cell and of the moves that copy; received before or after they are sent. */
static hash_t sizes(hash_t h, MPI_Comm comm) {
  int bytes, i;
  for (bytes = 0; bytes <= MOST; bytes++) {
    fill_bytes(out, sizeof out, rank * 100 + bytes);
    memset(in, 0xee, sizeof in);
    if (bytes % 2)
      MPI_Barrier(comm);
    for (i = 0; i < N && bytes % 2; i++)
      MPI_Isend(out[i], bytes, MPI_BYTE, after, i, comm, &r[N + i]);
    if (bytes % 2)
      MPI_Barrier(comm);
    for (i = 0; i < N; i++)
      MPI_Irecv(in[i], bytes + i % 3, MPI_BYTE, before, i, comm, &r[i]);
    for (i = 0; i < N && bytes % 2 == 0; i++)
      MPI_Isend(out[i], bytes, MPI_BYTE, after, i, comm, &r[N + i]);
    MPI_Waitall(2 * N, r, s);
    h = take(h, N);
  }
  return h;
}

/* A datatype and a communicator of each step, which are freed with it: their handles soon mean others. */
static hash_t handles(hash_t h) {
  int step;
  for (step = 0; step < STEPS; step++) {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (step % 3 == 2)
      MPI_Type_vector(2, 1, 2, MPI_BYTE, &type);
    else
      MPI_Type_contiguous(1 + step % 5, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    fill_bytes(out, sizeof out, rank * 100 + step);
    memset(in, 0xdd, sizeof in);
    MPI_Irecv(in[0], 3, type, before, step, comm, &r[0]);
    MPI_Irecv(in[1], 4, MPI_BYTE, before, step, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(in[2], 2, type, before, step, comm, &r[2]);
    MPI_Isend(out[0], 3, type, after, step, comm, &r[3]);
    MPI_Isend(out[1], 4, MPI_BYTE, after, step, MPI_COMM_WORLD, &r[4]);
    MPI_Isend(out[2], 1, type, after, step, comm, &r[5]);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Waitall(6, r, step % 2 ? s : MPI_STATUSES_IGNORE);
    if (step % 2 == 0)
      memset(s, 0, sizeof s);
    h = step % 2 ? take(h, 3) : hash_bytes(h, in, sizeof in);
  }
  return h;
}

/* A wildcard among exact receives, which must not overtake it. */
static hash_t wildcards(hash_t h) {
  int step, i, n;
  for (step = 0; step < STEPS; step++) {
    memset(in, 0xcc, sizeof in);
    fill_bytes(out, sizeof out, rank * 10 + step);
    for (i = 0; i < 3; i++)
      MPI_Irecv(in[i], 8, MPI_BYTE, before, i == step % 3 ? MPI_ANY_TAG : 1, MPI_COMM_WORLD, &r[i]);
    for (i = 0; i < 3; i++)
      MPI_Isend(out[i], 3 + i, MPI_BYTE, after, 1, MPI_COMM_WORLD, &r[3 + i]);
    MPI_Waitall(6, r, s);
    h = take(h, 3);
    for (i = 0; i < 3; i++) {
      MPI_Get_count(&s[i], MPI_BYTE, &n);
      h = hash_number(h, n);
    }
  }
  return h;
}

/* Around requests of other kinds. */
static hash_t mixed(hash_t h) {
  static int large_in[20000], large_out[20000];
  int step, i;
  for (step = 0; step < 2 * N; step++) {
    memset(in, 0xbb, sizeof in);
    fill_bytes(out, sizeof out, rank + step);
    fill_bytes(large_out, sizeof large_out, rank * 3 + step);
    for (i = 0; i < 2 * N; i++)
      r[i] = MPI_REQUEST_NULL;
    for (i = 0; i < N; i += 2)
      MPI_Irecv(in[i], 8, MPI_BYTE, before, i, MPI_COMM_WORLD, &r[(step + i) % (2 * N)]);
    MPI_Irecv(large_in, 20000, MPI_INT, before, 50, MPI_COMM_WORLD, &r[(step + 1) % (2 * N)]);
    MPI_Isend(large_out, 20000, MPI_INT, after, 50, MPI_COMM_WORLD, &r[(step + 3) % (2 * N)]);
    MPI_Irecv(in[1], 8, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[(step + 5) % (2 * N)]);
    MPI_Ibarrier(MPI_COMM_WORLD, &r[(step + 7) % (2 * N)]);
    for (i = 0; i < N; i += 2)
      MPI_Isend(out[i], 8, MPI_BYTE, after, i, MPI_COMM_WORLD, &r[(step + N + i) % (2 * N)]);
    MPI_Waitall(2 * N, r, s);
    for (i = 0; i < 2 * N; i++)
      h = hash_number(h, r[i] == MPI_REQUEST_NULL);
    for (i = 0; i < N; i += 2)
      h = hash_status(h, &s[(step + i) % (2 * N)], MPI_BYTE);
    h = hash_status(h, &s[(step + 1) % (2 * N)], MPI_INT);
    h = hash_bytes(hash_bytes(h, in, sizeof in), large_in, sizeof large_in);
  }
  return h;
}

/* Arguments that MPI refuses. (Messages that are too long: waitall_fails.c.) */
static hash_t errors(hash_t h) {
  int i, error, class;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (i = 0; i < 5; i++) {
    error = i == 0   ? MPI_Isend(out[0], -1, MPI_BYTE, after, 0, comm, r)
            : i == 1 ? MPI_Isend(out[0], 1, MPI_BYTE, size, 0, comm, r)
            : i == 2 ? MPI_Isend(out[0], 1, MPI_BYTE, after, -5, comm, r)
            : i == 3 ? MPI_Irecv(in[0], -2147483647, MPI_BYTE, before, 0, comm, r)
                     : MPI_Irecv(in[0], 1, MPI_BYTE, -7, 0, comm, r);
    MPI_Error_class(error, &class);
    h = hash_number(h, class);
  }
  MPI_Comm_free(&comm);
  return h;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  before = (rank + size - 1) % size;
  after = (rank + 1) % size;
  report("sizes", sizes(HASH_START, MPI_COMM_WORLD));
  report("handles", handles(HASH_START));
  report("wildcards", wildcards(HASH_START));
  report("mixed", mixed(HASH_START));
  report("errors", errors(HASH_START));
  report("sizes", sizes(HASH_START, MPI_COMM_WORLD));
  MPI_Finalize();
  return 0;
}
