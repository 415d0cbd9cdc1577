/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What no library can be faster than: MPI's functions with as much of their meaning as the rows of this benchmark need,
 * of which the compiler and the processor are told nothing more than MPI asks for. Elements lie in one piece, groups
 * have one member, and there is one window.
 */
#include "limit.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { MAX_RANKS = 64, LINE_BYTES = 64, SPINS = 2000 };

/* Of one rank. Written by it, but for the lock. */
struct flags {
  _Alignas(LINE_BYTES) _Atomic long arrived; /* in fences */
  _Alignas(LINE_BYTES) _Atomic long posted;
  _Alignas(LINE_BYTES) _Atomic long completed;
  _Alignas(LINE_BYTES) _Atomic int locked;
};

static struct {
  MPI_Win win;
  char *parts[MAX_RANKS];
  struct flags *flags[MAX_RANKS];
  int rank, ranks, before, after;
  long fences, starts;
} limit;

static size_t bytes_of(int count, MPI_Datatype type) {
  return (size_t)count * (type == MPI_BYTE ? 1 : type == MPI_FLOAT ? sizeof(float) : sizeof(double));
}

static void wait_for(_Atomic long *counter, long value) {
  for (int i = 0; atomic_load_explicit(counter, memory_order_acquire) < value; i++)
    if (i > SPINS)
      sched_yield();
}

static void count(_Atomic long *counter) {
  long value = atomic_load_explicit(counter, memory_order_relaxed) + 1;
  atomic_store_explicit(counter, value, memory_order_release);
}

static int limit_Put(const void *from, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                     MPI_Datatype target_type, MPI_Win win) {
  (void)target_count, (void)target_type, (void)win;
  memcpy(limit.parts[target] + at, from, bytes_of(count, type));
  return MPI_SUCCESS;
}

static int limit_Get(void *into, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                     MPI_Datatype target_type, MPI_Win win) {
  (void)target_count, (void)target_type, (void)win;
  memcpy(into, limit.parts[target] + at, bytes_of(count, type));
  return MPI_SUCCESS;
}

/* Sums of doubles, which nobody else adds to, and exclusive or of a word. */
static int limit_Accumulate(const void *from, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                            MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
  (void)target_count, (void)target_type, (void)win;
  char *there = limit.parts[target] + at;
  const double *numbers = from;
  if (op == MPI_BXOR)
    atomic_fetch_xor_explicit((_Atomic uint64_t *)there, *(const uint64_t *)from, memory_order_relaxed);
  for (int i = 0; op == MPI_SUM && type == MPI_DOUBLE && i < count; i++)
    ((double *)there)[i] += numbers[i];
  return MPI_SUCCESS;
}

/* Sums of doubles alone. */
static int limit_Get_accumulate(const void *from, int count, MPI_Datatype type, void *result, int result_count,
                                MPI_Datatype result_type, int target, MPI_Aint at, int target_count,
                                MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
  (void)result_count, (void)result_type;
  memcpy(result, limit.parts[target] + at, bytes_of(count, type));
  return limit_Accumulate(from, count, type, target, at, target_count, target_type, op, win);
}

static int limit_Fetch_and_op(const void *from, void *result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
                              MPI_Win win) {
  (void)type, (void)op, (void)win;
  *(int64_t *)result = atomic_fetch_add((_Atomic int64_t *)(limit.parts[target] + at), *(const int64_t *)from);
  return MPI_SUCCESS;
}

static int limit_Compare_and_swap(const void *from, const void *compared, void *result, MPI_Datatype type, int target,
                                  MPI_Aint at, MPI_Win win) {
  int64_t expected = *(const int64_t *)compared;
  (void)type, (void)win;
  atomic_compare_exchange_strong((_Atomic int64_t *)(limit.parts[target] + at), &expected, *(const int64_t *)from);
  *(int64_t *)result = expected;
  return MPI_SUCCESS;
}

static int limit_Win_fence(int assertion, MPI_Win win) {
  (void)assertion, (void)win;
  limit.fences++;
  count(&limit.flags[limit.rank]->arrived);
  for (int i = 0; i < limit.ranks; i++)
    wait_for(&limit.flags[i]->arrived, limit.fences);
  return MPI_SUCCESS;
}

static int limit_Win_post(MPI_Group group, int assertion, MPI_Win win) {
  (void)group, (void)assertion, (void)win;
  count(&limit.flags[limit.rank]->posted);
  return MPI_SUCCESS;
}
static int limit_Win_start(MPI_Group group, int assertion, MPI_Win win) {
  (void)group, (void)assertion, (void)win;
  wait_for(&limit.flags[limit.after]->posted, ++limit.starts);
  return MPI_SUCCESS;
}
static int limit_Win_complete(MPI_Win win) {
  (void)win;
  count(&limit.flags[limit.rank]->completed);
  return MPI_SUCCESS;
}
static int limit_Win_wait(MPI_Win win) {
  (void)win;
  wait_for(&limit.flags[limit.before]->completed,
           atomic_load_explicit(&limit.flags[limit.rank]->posted, memory_order_relaxed));
  return MPI_SUCCESS;
}

static int limit_Win_lock(int kind, int target, int assertion, MPI_Win win) {
  (void)kind, (void)assertion, (void)win;
  while (atomic_exchange_explicit(&limit.flags[target]->locked, 1, memory_order_acquire))
    sched_yield();
  return MPI_SUCCESS;
}
static int limit_Win_unlock(int target, MPI_Win win) {
  (void)win;
  atomic_store_explicit(&limit.flags[target]->locked, 0, memory_order_release);
  return MPI_SUCCESS;
}
static int limit_Win_lock_all(int assertion, MPI_Win win) {
  (void)assertion, (void)win;
  return MPI_SUCCESS;
}
static int limit_Win_unlock_all(MPI_Win win) {
  (void)win;
  return MPI_SUCCESS;
}
static int limit_Win_flush(int target, MPI_Win win) {
  (void)target, (void)win;
  atomic_thread_fence(memory_order_release);
  return MPI_SUCCESS;
}
static int limit_Win_flush_all(MPI_Win win) { return limit_Win_flush(0, win); }

void limit_make(struct side *side) {
#define LIMIT(name) .name = limit_##name,
  side->f = (struct functions){FUNCTIONS(LIMIT)};
  char *mine;
  PMPI_Win_allocate_shared(PART + sizeof(struct flags), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &limit.win);
  memset(mine, 0, PART + sizeof(struct flags));
  limit.rank = side->rank;
  limit.ranks = side->ranks;
  limit.after = side->target;
  limit.before = (side->rank + side->ranks - 1) % side->ranks;
  for (int i = 0; i < side->ranks; i++) {
    MPI_Aint bytes;
    int unit;
    PMPI_Win_shared_query(limit.win, i, &bytes, &unit, &limit.parts[i]);
    limit.flags[i] = (struct flags *)(limit.parts[i] + PART);
  }
  side->base = limit.parts[side->rank];
  PMPI_Win_lock_all(MPI_MODE_NOCHECK, limit.win);
  PMPI_Barrier(MPI_COMM_WORLD);
}

void limit_free(void) {
  PMPI_Win_unlock_all(limit.win);
  PMPI_Win_free(&limit.win);
}
