// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool rewrites operations with requests, which are completed by every function, together with those of messages
// and of nonblocking collectives, in arrays and one by one.
//
// RUN: %run-both %s --work %t
// RUN: %run-both %s --work %t --again --ranks 3 --ragged
#include "report.h"

enum { N = 64, STEPS = 6 };

static int rank, size;

static void complete(MPI_Request *requests, int n, int how) {
  int done = 0, index, indices[8];
  switch (how) {
  case 0:
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    return;
  case 1:
    for (int i = 0; i < n; i++)
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    return;
  case 2:
    while (!done)
      MPI_Testall(n, requests, &done, MPI_STATUSES_IGNORE);
    return;
  case 3:
    for (int i = 0; i < n; i++)
      MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
    return;
  case 4:
    for (int rest = n; rest > 0; rest -= done)
      MPI_Waitsome(n, requests, &done, indices, MPI_STATUSES_IGNORE);
    return;
  default:
    for (int i = 0; i < n; i++)
      for (done = 0; !done;)
        MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  double *cells, out[N], in[N], got[N], old[N];
  int sum, sent, received = 0;
  MPI_Win win;
  MPI_Request requests[8];
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(4 * N * sizeof *cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
  MPI_Win_lock_all(0, win);
  for (int step = 0; step < STEPS; step++) {
    int next = (rank + 1) % size, before = (rank + size - 1) % size, n = 0;
    for (int i = 0; i < 4 * N; i++)
      cells[i] = 100 * rank + i + step;
    for (int i = 0; i < N; i++)
      out[i] = step * 3 + rank + 0.5 * i, in[i] = got[i] = old[i] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    sum = 1 << rank, sent = rank * 31 + step;
    MPI_Irecv(&received, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[n++]);
    MPI_Rput(out, N, MPI_DOUBLE, next, 0, N, MPI_DOUBLE, win, &requests[n++]);
    MPI_Isend(&sent, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[n++]);
    MPI_Rget(got, N, MPI_DOUBLE, next, 3 * N, N, MPI_DOUBLE, win, &requests[n++]);
    MPI_Iallreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[n++]);
    MPI_Raccumulate(out, N, MPI_DOUBLE, next, N, N, MPI_DOUBLE, MPI_SUM, win, &requests[n++]);
    MPI_Rget_accumulate(out, N, MPI_DOUBLE, old, N, MPI_DOUBLE, next, 2 * N, N, MPI_DOUBLE, MPI_REPLACE, win,
                        &requests[n++]);
    complete(requests, n, step);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    h = hash_number(hash_number(h, received), sum);
    h = hash_bytes(h, cells, 4 * N * sizeof *cells);
    h = hash_bytes(hash_bytes(h, got, sizeof got), old, sizeof old);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  report("requests", h);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
