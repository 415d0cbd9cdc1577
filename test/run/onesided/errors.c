// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library refuses is refused with the same class of error, by windows made in each way: arguments, epochs that
// are not open, or open already, assertions that a call does not have. Afterwards the window is whole. A class for
// what is beyond the target's memory is the runtime's own (edges.c): libraries notice it or not.
//
// Open MPI 5.0.11 ends in segmentation faults at a null operation and at a flush of a rank that is none.
// UNSUPPORTED: mpi-openmpi
// RUN: %run-both %s --work %t --flags "-O1 -Wno-stringop-overflow -Wno-nonnull"
// RUN: %run-both %s --work %t --again --ranks 3 --ragged
#include "report.h"

enum { N = 16, WRONG_ASSERTION = 1 << 20 };

static int rank, size, number, target;
static hash_t h = HASH_START;

/* Rank 0 says each class, so that a difference tells which call it is. */
static void class_is(int error) {
  int class;
  MPI_Error_class(error, &class);
  if (rank == 0)
    printf("%d: %d\n", number, class);
  number++;
  h = hash_number(h, class);
}

/* All operations, where no epoch is open. */
static void without_epoch(MPI_Win win) {
  int one = 1, got, done;
  class_is(MPI_Put(&one, 1, MPI_INT, target, 0, 1, MPI_INT, win));
  class_is(MPI_Get(&got, 1, MPI_INT, target, 0, 1, MPI_INT, win));
  class_is(MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win));
  class_is(MPI_Get_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win));
  class_is(MPI_Fetch_and_op(&one, &got, MPI_INT, target, 0, MPI_SUM, win));
  class_is(MPI_Compare_and_swap(&one, &one, &got, MPI_INT, target, 0, win));
  class_is(MPI_Win_complete(win));
  class_is(MPI_Win_wait(win));
  class_is(MPI_Win_test(win, &done));
  class_is(MPI_Win_unlock(target, win));
  class_is(MPI_Win_unlock_all(win));
  class_is(MPI_Win_flush(target, win));
  class_is(MPI_Win_flush_all(win));
  class_is(MPI_Win_flush_local(target, win));
  class_is(MPI_Win_flush_local_all(win));
}

static void transfers(MPI_Win win) {
  int one = 1, got = 0;
  MPI_Request request;
  class_is(MPI_Put(&one, 1, MPI_INT, size, 0, 1, MPI_INT, win));
  class_is(MPI_Put(&one, 1, MPI_INT, -7, 0, 1, MPI_INT, win));
  class_is(MPI_Put(&one, -1, MPI_INT, target, 0, 1, MPI_INT, win));
  class_is(MPI_Put(&one, 1, MPI_INT, target, 0, -1, MPI_INT, win));
  class_is(MPI_Put(&one, 1, MPI_DATATYPE_NULL, target, 0, 1, MPI_INT, win));
  class_is(MPI_Put(&one, 1, MPI_INT, target, 0, 1, MPI_DATATYPE_NULL, win));
  class_is(MPI_Put(&one, 1, MPI_INT, target, -1, 1, MPI_INT, win));
  class_is(MPI_Get(&got, 1, MPI_INT, target, -1, 1, MPI_INT, win));
  class_is(MPI_Get(&got, -1, MPI_INT, target, 0, 1, MPI_INT, win));
  class_is(MPI_Get(&got, 1, MPI_INT, size, 0, 1, MPI_INT, win));
  class_is(MPI_Rput(&one, 1, MPI_INT, size, 0, 1, MPI_INT, win, &request));
  class_is(MPI_Rget(&got, -1, MPI_INT, target, 0, 1, MPI_INT, win, &request));
}

static void combine(const void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)in, (void)inout, (void)n, (void)type;
}

static void accumulates(MPI_Win win) {
  int one = 1, got = 0;
  MPI_Request request;
  MPI_Op own;
  MPI_Op_create((MPI_User_function *)combine, 1, &own);
  class_is(MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_OP_NULL, win));
  class_is(MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, own, win));
  class_is(MPI_Accumulate(&one, 1, MPI_INT, target, -1, 1, MPI_INT, MPI_SUM, win));
  class_is(MPI_Accumulate(&one, -1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win));
  class_is(MPI_Accumulate(&one, 1, MPI_INT, size, 0, 1, MPI_INT, MPI_SUM, win));
  class_is(MPI_Get_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, size, 0, 1, MPI_INT, MPI_SUM, win));
  class_is(MPI_Get_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, target, -2, 1, MPI_INT, MPI_SUM, win));
  class_is(MPI_Get_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, target, 0, 1, MPI_INT, own, win));
  class_is(MPI_Fetch_and_op(&one, &got, MPI_INT, size, 0, MPI_SUM, win));
  class_is(MPI_Fetch_and_op(&one, &got, MPI_INT, target, -1, MPI_SUM, win));
  class_is(MPI_Fetch_and_op(&one, &got, MPI_INT, target, 0, MPI_OP_NULL, win));
  class_is(MPI_Fetch_and_op(&one, &got, MPI_INT, target, 0, own, win));
  class_is(MPI_Compare_and_swap(&one, &one, &got, MPI_INT, size, 0, win));
  class_is(MPI_Compare_and_swap(&one, &one, &got, MPI_INT, target, -1, win));
  class_is(MPI_Compare_and_swap(&one, &one, &got, MPI_DOUBLE, target, 0, win));
  class_is(MPI_Raccumulate(&one, 1, MPI_INT, size, 0, 1, MPI_INT, MPI_SUM, win, &request));
  class_is(MPI_Rget_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, target, -2, 1, MPI_INT, MPI_SUM, win, &request));
  MPI_Op_free(&own);
}

/* Inside lock_all. */
static void other_epochs(MPI_Win win) {
  class_is(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
  class_is(MPI_Win_lock_all(0, win));
  class_is(MPI_Win_unlock(target, win));
  class_is(MPI_Win_fence(0, win));
  class_is(MPI_Win_flush(size, win));
  class_is(MPI_Win_flush_local(-9, win));
  class_is(MPI_Win_flush(MPI_ANY_SOURCE, win));
}

static void synchronisations(MPI_Win win) {
  class_is(MPI_Win_lock(12345, target, 0, win));
  class_is(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win));
  class_is(MPI_Win_lock(MPI_LOCK_SHARED, target, WRONG_ASSERTION, win));
  class_is(MPI_Win_unlock(target, win));
  class_is(MPI_Win_lock(MPI_LOCK_SHARED, target, MPI_MODE_NOPUT, win));
  class_is(MPI_Win_unlock(target, win));
  class_is(MPI_Win_lock_all(MPI_MODE_NOSTORE, win));
  class_is(MPI_Win_unlock_all(win));
  class_is(MPI_Win_fence(MPI_MODE_NOCHECK, win));
  class_is(MPI_Win_start(MPI_GROUP_EMPTY, MPI_MODE_NOPRECEDE, win));
  class_is(MPI_Win_complete(win));
  class_is(MPI_Win_post(MPI_GROUP_EMPTY, WRONG_ASSERTION, win));
  class_is(MPI_Win_wait(win));
  class_is(MPI_Win_start(MPI_GROUP_NULL, 0, win));
  class_is(MPI_Win_post(MPI_GROUP_NULL, 0, win));
}

/* What only one rank calls wrongly makes no other wait for it. */
static void alone(MPI_Win win) {
  if (rank == size - 1)
    class_is(MPI_Win_fence(MPI_MODE_NOCHECK, win));
  MPI_Win_fence(0, win);
}

static void whole(MPI_Win win, const int *base) {
  int mine = 100 + rank;
  MPI_Win_fence(0, win);
  MPI_Put(&mine, 1, MPI_INT, target, 5, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  h = hash_bytes(h, base, N * sizeof *base);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
  MPI_Accumulate(&mine, 1, MPI_INT, target, 6, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_unlock(target, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  h = hash_bytes(h, base, N * sizeof *base);
  MPI_Win_unlock(rank, win);
}

static void in_window(MPI_Win win, const int *base) {
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  without_epoch(win);
  MPI_Win_lock_all(0, win);
  transfers(win);
  accumulates(win);
  other_epochs(win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  synchronisations(win);
  MPI_Barrier(MPI_COMM_WORLD);
  alone(win);
  whole(win, base);
}

static void making(int *own) {
  MPI_Win win = MPI_WIN_NULL;
  void *base;
  class_is(MPI_Win_create(own, -4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  class_is(MPI_Win_create(own, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  class_is(MPI_Win_create(own, 4, -1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  class_is(MPI_Win_create(own, 4, 4, MPI_INFO_NULL, MPI_COMM_NULL, &win));
  class_is(MPI_Win_allocate(-4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
  class_is(MPI_Win_allocate(4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
  win = MPI_WIN_NULL;
  class_is(MPI_Win_free(&win));
  class_is(MPI_Win_fence(0, MPI_WIN_NULL));
  class_is(MPI_Put(own, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_WIN_NULL));
}

int main(int argc, char **argv) {
  int *own = calloc(N, sizeof *own), *base;
  MPI_Win created, allocated;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  target = (rank + 1) % size;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Win_create(own, N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &created);
  MPI_Win_allocate(N * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &allocated);
  memset(base, 0, N * sizeof *base);
  in_window(created, own);
  in_window(allocated, base);
  making(own);
  report("errors", h);
  MPI_Win_free(&allocated);
  MPI_Win_free(&created);
  free(own);
  MPI_Finalize();
  return 0;
}
