/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * onesided.h - one row of the benchmark.
 */
#ifndef ONESIDED_H
#define ONESIDED_H

#include <mpishm.h>

/* The library's functions, libmpishm's, or those of the limit. */
struct functions {
#define FUNCTIONS(X)                                                                                                   \
  X(Put)                                                                                                               \
  X(Get)                                                                                                               \
  X(Accumulate)                                                                                                        \
  X(Get_accumulate)                                                                                                    \
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
  X(Win_flush)                                                                                                         \
  X(Win_flush_all)
#define MEMBER(name) __typeof__(MPI_##name) *(name);
  FUNCTIONS(MEMBER)
#undef MEMBER
};

/* What makes windows; all NULL in the limit. */
struct makers {
#define MAKERS(X)                                                                                                      \
  X(Win_create)                                                                                                        \
  X(Win_allocate)                                                                                                      \
  X(Win_allocate_shared)                                                                                               \
  X(Win_free)
#define MEMBER(name) __typeof__(MPI_##name) *(name);
  MAKERS(MEMBER)
#undef MEMBER
};

/* What a call works on: a window of the library's, of libmpishm's or without either, and this rank's buffer. */
struct side {
  struct functions f;
  struct makers makers;
  const char *way; /* in which the window is made: create, moved, allocate, shared */
  MPI_Win win;
  char *base;   /* of this rank's part */
  char *buffer; /* as long as that */
  char *memory; /* that the program gave the window; NULL: none */
  int rank, ranks, target;
  long bytes; /* of an operation */
  MPI_Group before, after;
  unsigned long number; /* for random places; the same on both sides */
  double seconds;       /* that a call which `times_itself` has added */
  int iterations;       /* at most, of what goes on until it converges; 0: any */
};

/* Who calls an operation, and in which epoch. */
enum caller {
  BY_FIRST,           /* rank 0 alone, in an epoch of lock_all */
  BY_FIRST_WITH_LOCK, /* rank 0 alone, which locks by itself */
  BY_ALL,             /* in an epoch of fences, or of its own */
  BY_ALL_LOCKED       /* in an epoch of lock_all */
};

/* What the time of a call is, and how often it is made. */
enum traits {
  HAS_SIZES = 1,
  IS_WHOLE = 2,      /* a call is a program's run: one at a time */
  TIMES_ITSELF = 4,  /* on rank 0 */
  UNDOES_ITSELF = 8, /* once more from the beginning, and the window is as before: what is not counts as an error */
  HAS_NO_LIMIT = 16
};

struct operation {
  const char *name;
  unsigned traits;
  enum caller caller;
  int per_call; /* operations, by which its time is divided */
  void (*call)(struct side *side);
};

extern const struct operation operations[];

/* Makes a window of so many bytes of each rank, in the side's way; `memory` is for what the program gives it. */
void make_window(const struct side *side, char *memory, MPI_Aint bytes, char **base, MPI_Win *win);

/* Bytes of each rank's part. */
enum { PART = 4 << 20 };

#endif
