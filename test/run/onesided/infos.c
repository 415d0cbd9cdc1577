// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs may say of a window when they make it, or later: that nobody locks it, in which order accumulates are
// to be done, that all of them are of one kind, that it need not be in one piece. The results are those without.
//
// RUN: %run-both %s --work %t
// RUN: %run-both %s --work %t --again --ranks 1 --one-node
#include "report.h"

enum { N = 64, KEYS = 6 };

static const char *const keys[KEYS][2] = {
    {"no_locks", "true"},          {"accumulate_ordering", "none"},     {"accumulate_ordering", "rar,waw"},
    {"accumulate_ops", "same_op"}, {"accumulate_ops", "same_op_no_op"}, {"alloc_shared_noncontig", "true"}};
static int rank, size;

static hash_t hash_of(const long *from) {
  hash_t hash = 0;
  for (int i = 0; i < N; i++)
    hash = hash * 31 + (hash_t)from[i];
  return hash;
}

/* Each rank adds to each other's, and puts into its own part of the next one's. */
static void use(MPI_Win win, long *own, int locks) {
  long ones[N], next = (rank + 1) % size;
  for (int i = 0; i < N; i++)
    ones[i] = i + rank;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  for (int target = 0; target < size; target++)
    MPI_Accumulate(ones, N / 2, MPI_LONG, target, 0, N / 2, MPI_LONG, MPI_SUM, win);
  MPI_Put(ones, N / 2, MPI_LONG, (int)next, N / 2, N / 2, MPI_LONG, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  report("own", hash_of(own));
  if (!locks)
    return;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, (int)next, 0, win);
  MPI_Get(ones, N, MPI_LONG, (int)next, 0, N, MPI_LONG, win);
  MPI_Win_unlock((int)next, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  long before, one = 1;
  MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 0, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  report("got", hash_of(ones));
  report("in the end", hash_of(own));
  MPI_Win_unlock(rank, win);
}

static void with(MPI_Info info, int locks, int way, int later) {
  long own[N] = {0}, *base = own;
  MPI_Win win;
  MPI_Info first = later ? MPI_INFO_NULL : info;
  if (way == 0)
    MPI_Win_create(own, sizeof own, sizeof(long), first, MPI_COMM_WORLD, &win);
  else
    MPI_Win_allocate(sizeof own, sizeof(long), first, MPI_COMM_WORLD, &base, &win);
  for (int i = 0; i < N; i++)
    base[i] = 0;
  if (later)
    MPI_Win_set_info(win, info);
  MPI_Barrier(MPI_COMM_WORLD);
  use(win, base, locks);
  MPI_Win_free(&win);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int key = 0; key < KEYS; key++)
    for (int way = 0; way < 2; way++)
      for (int later = 0; later < 2; later++) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, keys[key][0], keys[key][1]);
        if (rank == 0)
          printf("%s %s, way %d%s\n", keys[key][0], keys[key][1], way, later ? ", later" : "");
        with(info, key != 0, way, later);
        MPI_Info_free(&info);
      }
  return MPI_Finalize();
}
