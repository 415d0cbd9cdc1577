// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows of MPI_Win_create_dynamic stay MPI's, beside others: functions that are given both hand these on, with
// requests, too. What is only done on such a window is left.
//
// RUN: %run-both %s --work %t --leaves Win_lock_all,Win_unlock_all
// RUN: %run-both %s --work %t --again --ranks 3 --ragged
#include "report.h"

enum { N = 16, TIMES = 10 };

static int rank, size;

/* A window, and what has to be added to displacements in bytes, and a rank's unit of them. */
struct field {
  MPI_Win win;
  MPI_Aint *starts;
  int unit;
};

static MPI_Aint place(const struct field *f, int target, int number) {
  return (f->starts ? MPI_Aint_add(f->starts[target], number * (MPI_Aint)sizeof(long)) : number * (MPI_Aint)8) /
         f->unit;
}

static void add(const struct field *f, int target, int number, long value) {
  MPI_Accumulate(&value, 1, MPI_LONG, target, place(f, target, number), 1, MPI_LONG, MPI_SUM, f->win);
  MPI_Win_flush(target, f->win);
}

static long put_and_get(const struct field *f, int target, int number, long value) {
  long got[2] = {0, 0};
  MPI_Request requests[2];
  MPI_Rput(&value, 1, MPI_LONG, target, place(f, target, number), 1, MPI_LONG, f->win, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Win_flush(target, f->win);
  MPI_Rget(&got[0], 1, MPI_LONG, target, place(f, target, number), 1, MPI_LONG, f->win, &requests[0]);
  MPI_Rget(&got[1], 1, MPI_LONG, target, place(f, target, N - 1), 1, MPI_LONG, f->win, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return 1000 * got[0] + got[1];
}

static hash_t use(const struct field *f, hash_t h) {
  for (int i = 0; i < TIMES; i++)
    for (int target = 0; target < size; target++)
      add(f, target, i % 4, i + rank);
  return hash_number(h, put_and_get(f, (rank + 1) % size, 4 + rank, 5 + rank));
}

static void drop(struct field *f) { MPI_Win_free(&f->win); }

int main(int argc, char **argv) {
  long *attached, *allocated;
  MPI_Aint start;
  struct field dynamic, plain = {MPI_WIN_NULL, NULL, sizeof(long)};
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  attached = calloc(N, sizeof *attached);
  dynamic.starts = malloc((size_t)size * sizeof *dynamic.starts);
  dynamic.unit = 1;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic.win);
  MPI_Win_attach(dynamic.win, attached, N * sizeof *attached);
  MPI_Get_address(attached, &start);
  MPI_Allgather(&start, 1, MPI_AINT, dynamic.starts, 1, MPI_AINT, MPI_COMM_WORLD);
  MPI_Win_allocate(N * sizeof *allocated, sizeof *allocated, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &plain.win);
  memset(allocated, 0, N * sizeof *allocated);
  allocated[N - 1] = attached[N - 1] = 7 * rank;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, dynamic.win);
  for (int target = 0; target < size; target++)
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, plain.win);
  h = use(&plain, use(&dynamic, h));
  MPI_Win_unlock_all(dynamic.win);
  for (int target = 0; target < size; target++)
    MPI_Win_unlock(target, plain.win);
  MPI_Barrier(MPI_COMM_WORLD);
  h = hash_bytes(h, attached, N * sizeof *attached);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, plain.win);
  h = hash_bytes(h, allocated, N * sizeof *allocated);
  MPI_Win_unlock(rank, plain.win);
  MPI_Barrier(MPI_COMM_WORLD);
  report("dynamic", h);
  MPI_Win_detach(dynamic.win, attached);
  drop(&dynamic);
  drop(&plain);
  free(dynamic.starts);
  free(attached);
  MPI_Finalize();
  return 0;
}
