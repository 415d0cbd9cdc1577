/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * onesided.h - one row of the benchmark.
 */
#ifndef ONESIDED_H
#define ONESIDED_H

#include <mpishm.h>

/* The library's functions, or libmpishm's. */
struct functions {
#define FUNCTIONS(X)                                                                                                   \
  X(Put)                                                                                                               \
  X(Get)                                                                                                               \
  X(Accumulate)                                                                                                        \
  X(Fetch_and_op)                                                                                                      \
  X(Compare_and_swap)                                                                                                  \
  X(Win_fence)                                                                                                         \
  X(Win_post)                                                                                                          \
  X(Win_start)                                                                                                         \
  X(Win_complete)                                                                                                      \
  X(Win_wait)                                                                                                          \
  X(Win_lock)                                                                                                          \
  X(Win_unlock)                                                                                                        \
  X(Win_lock_all)                                                                                                      \
  X(Win_unlock_all)                                                                                                    \
  X(Win_flush)
#define MEMBER(name) __typeof__(MPI_##name) *(name);
  FUNCTIONS(MEMBER)
#undef MEMBER
};

/* What a call works on: a window of one of the two, and this rank's buffer. */
struct side {
  struct functions f;
  MPI_Win win;
  char *base;   /* of this rank's part */
  char *buffer; /* as long as that */
  int rank, target;
  long bytes; /* of an operation */
  MPI_Group before, after;
  unsigned long number; /* for random places; the same on both sides */
};

struct operation {
  const char *name;
  int has_sizes;
  int is_passive; /* rank 0 alone calls, in an epoch of lock_all where `locks` is not set */
  int locks;      /* each call has epochs of its own */
  int per_call;   /* operations, by which its time is divided */
  void (*call)(struct side *side);
};

extern const struct operation operations[];

/* Bytes of each rank's part. */
enum { PART = 4 << 20 };

#endif
