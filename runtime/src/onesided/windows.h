/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registered windows of the program's: a record beside MPI's own window over the same memory, found by MPI's handle.
 * Under the runtime's mutex, as all of this folder.
 *
 * Two kinds, decided when a window is made, from what all of its members on the node see:
 *
 *   - *ours*: all members are on this node, and each can reach the memory of all. Every operation and every epoch is
 *     the runtime's. MPI's window is in no epoch; what cannot be done here after all goes through it, in a lock of its
 *     own (OUTCOME_IN_LOCK).
 *   - *shared with MPI*: other members are elsewhere. Every epoch is MPI's, with an additional one of the node's, and
 *     what is put or got inside the node, in an epoch of fences or of post and start, needs no more. All else is MPI's:
 *     accumulates, since an MPI library's are atomic among themselves only; and what is in a lock, which MPI may take
 *     later than MPI_Win_lock returns.
 *
 * A window that is not registered is MPI's alone.
 */
#ifndef MPISHM_WINDOWS_H
#define MPISHM_WINDOWS_H

#include "communicators/communicators.h"
#include "epochs/epochs.h"
#include "watch/waiting.h"
#include "watch/watch.h"

/* How the memory of a member is reached. */
enum reach { REACH_NOT, REACH_BY_LOADS, REACH_BY_KERNEL };

struct target {
  enum reach reach;
  unsigned char access; /* enum access_bits: what this rank may do */
  bool is_listed;       /* while a group's members are looked for */
  char *base;           /* BY_LOADS: here; BY_KERNEL: in the process of `pid` */
  int64_t pid;
  size_t bytes;
  MPI_Aint unit; /* of displacements, in bytes */
  int place;     /* among the members on this node; -1: elsewhere */
};

enum access_bits {
  ACCESS_STARTED = 1,
  ACCESS_SHARED = 2,        /* lock */
  ACCESS_EXCLUSIVE = 4,     /* lock */
  ACCESS_UNCHECKED = 8,     /* the lock was not waited for (MPI_MODE_NOCHECK) */
  ACCESS_SHARED_OF_ALL = 16 /* lock_all, and the lock was waited for */
};

struct deferred;  /* deferred.h */
struct reduction; /* reductions/reductions.h */

/* An accumulate of one word, and what it combines. */
struct kept_word {
  char *there;
  uint64_t operand;
  const struct reduction *reduction;
  MPI_Op op;
  MPI_Datatype datatype;
  int rank; /* of the target; -1: it is done */
};
/* Those that are called and not done yet, in their order. Where each is flushed on its own, nothing is to be gained by
 * keeping it: then the first after a flush is done at once. */
enum { KEPT_WORDS = 16 };
struct kept_words {
  int count;
  bool is_only_one; /* between the last two flushes */
  uint64_t called;  /* since the last flush; 0: none is kept */
  struct kept_word words[KEPT_WORDS];
};

/* Members by rank. */
struct ranks {
  int count;
  int *ranks;
};

/* Lives until MPI frees the window. */
struct window {
  MPI_Win handle;
  bool is_ours;
  int rank, size;
  MPI_Group group;        /* a null handle until a group's members are looked for */
  struct target *targets; /* per rank */
  int *node_ranks;        /* by place: of the members on this node */
  int local_count;
  void *shared; /* what `epochs` is of: in the first one's segment */
  struct epochs epochs;
  bool fenced; /* an epoch of fences may be open */
  bool all_locked;
  int locked;                 /* targets, by lock */
  bool is_started, is_posted; /* also with an empty group */
  struct ranks started, posted;
  struct deferred *deferred; /* NULL: all puts are done at once */
  struct kept_words kept;
  bool mpi_locked; /* a thread has a lock of MPI's, for what is not done here: one at a time */
};

struct window_memo {
  MPI_Win handle;
  struct window *window; /* NULL: none */
};
extern struct window_memo last_window;
COLD struct window *window_look_up(MPI_Win win);
/* The record of a registered window, else NULL. */
static inline struct window *window_find(MPI_Win win) {
  return last_window.window && win == last_window.handle ? last_window.window : window_look_up(win);
}

/* Where a member's part of a window is. */
struct window_part {
  void *base;
  MPI_Aint bytes;
  MPI_Aint unit;
  bool is_mapped; /* by MPI_Win_allocate_shared */
};
/* Collective over the members on this node, once MPI has made the window. NULL: it is not registered, on none of them.
 */
struct window *window_register(struct communicator *communicator, MPI_Win win, struct window_part part);
/* A barrier of the members on this node: what each of them has stored or put before it, all see after it. Whether any
 * of them says so. */
bool window_any_says(struct window *window, bool mine);
void window_barrier(struct window *window);
/* Memory of this rank's segment for a window, of the share that all of them may have; NULL: there is none. */
void *window_memory_take(size_t bytes);
void window_memory_give_back(void *memory, size_t bytes);
/* The last use of what is shared, after a barrier. */
void window_leave(struct window *window);
/* Frees what windows shared that all members have left, but for what the next one may use. */
void windows_reclaim(void);
/* At teardown. */
void windows_destroy(void);
void makers_destroy(void); /* makers.c */

/* What the library says of an assertion that a call does not have. */
#ifdef MPICH_NUMVERSION
enum { ERROR_ASSERTION = MPI_ERR_ARG };
#else
enum { ERROR_ASSERTION = MPI_ERR_ASSERT };
#endif
/* Calls the window's error handler, and returns the error. Without the mutex. */
COLD int window_raise(MPI_Win win, int error);
/* Makes an attribute's key at its first use, which several threads may come to at once. Without the mutex. False: MPI
 * refuses. */
COLD bool window_keyval_ready(int *keyval, MPI_Win_delete_attr_function *forget);

/* One round of a wait for a member on this node. */
static inline void window_pause(struct waiter *waiter, const struct window *window, int place) {
  if (UNLIKELY(mpishm.watching))
    watch_member(mpishm.node, window->node_ranks[place]);
  waiter_pause(waiter);
}

static inline bool is_member(const struct window *window, int rank) { return rank >= 0 && rank < window->size; }

#endif
