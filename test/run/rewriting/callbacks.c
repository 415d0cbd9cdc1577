// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that functions complete which are called through pointers: from a table, as an argument, from a record.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { MAX = 9000, STEPS = 3 };

typedef void (*finish_t)(int, MPI_Request *, MPI_Status *);

struct schedule {
  const char *name;
  finish_t finish;
};

static void finish_all(int n, MPI_Request *r, MPI_Status *s) { MPI_Waitall(n, r, s); }

static void finish_backwards(int n, MPI_Request *r, MPI_Status *s) {
  while (n-- > 0)
    MPI_Wait(&r[n], &s[n]);
}

static void finish_by_tests(int n, MPI_Request *r, MPI_Status *s) {
  int flag = 0;
  while (!flag)
    MPI_Testall(n, r, &flag, s);
}

static const finish_t table[] = {finish_all, finish_backwards, finish_by_tests};

static hash_t exchange(hash_t h, int length, finish_t finish) {
  static int in[2][MAX], out[MAX];
  int rank, size;
  MPI_Request r[4];
  MPI_Status s[4];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fill_bytes(out, sizeof out, rank + length);
  MPI_Irecv(in[0], length, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(in[1], length, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(out, length, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(out, length, MPI_INT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, &r[3]);
  finish(4, r, s);
  return hash_status(hash_status(hash_bytes(h, in, sizeof in), &s[0], MPI_INT), &s[1], MPI_INT);
}

int main(int argc, char **argv) {
  struct schedule schedule = {"last", finish_by_tests};
  hash_t h = HASH_START;
  int step;
  MPI_Init(&argc, &argv);
  for (step = 0; step < STEPS; step++)
    h = exchange(h, step == 1 ? MAX : 10, table[step]);
  h = exchange(h, 1000, schedule.finish);
  report("callbacks", h);
  return MPI_Finalize();
}
