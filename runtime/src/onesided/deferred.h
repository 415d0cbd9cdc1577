/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Puts into memory that only the kernel reaches, and gets of it, in windows that are ours: kept, short puts with a copy
 * of their data, until the program asks for them to be complete, so that one call of the kernel does several. Of one
 * target at a time, and only puts or only gets. And accumulates of single words (accumulates.c), so that the lines of
 * several are under way together, and one latch, or one announcement, is for all of a target's. And, where the target
 * has to end the epoch as well, short puts that are handed to it (handed_puts.c), without the kernel. MPI permits all
 * of that: a call may take effect as late as the one that ends or flushes its epoch.
 */
#ifndef MPISHM_DEFERRED_H
#define MPISHM_DEFERRED_H

#include "channel/reach.h"
#include "onesided/accesses.h"

enum {
  DEFERRED_BYTES = 16 << 10, /* of all that is copied */
  DEFERRED_COPY = 2 << 10,   /* of one that is: a longer one stays where it is, as MPI permits */
  DEFERRED_MOST = 32 << 10   /* of one: of a longer one the kernel's call is little */
};

/* Puts that are handed to their targets, which bring them to their places in MPISHM_Win_fence, or MPISHM_Win_wait. */
struct handed {
  struct handed_pieces *shared; /* NULL: none yet */
  bool has_none;                /* there was no memory for it */
  bool is_out;                  /* a target may still read what is in it, of an epoch that is over here */
  unsigned rests;               /* epochs for which nothing is handed */
  uint32_t used;                /* bytes of this epoch's */
  uint32_t last;                /* where the last one of them begins */
};

struct deferred {
  int rank;                 /* of the target */
  bool puts;                /* or gets */
  unsigned doing;           /* threads that MPI does earlier ones for, without the mutex */
  struct reach_batch batch; /* short puts: from `data` */
  size_t copied;
  char data[DEFERRED_BYTES];
  struct handed handed;
};

/* NULL where there is no memory: nothing is deferred. Belongs to the caller. */
struct deferred *deferred_make(void);
/* True: the put, or the get, is kept. `stays`: the program leaves its buffer as it is until it asks for that. */
bool deferred_keep(struct window *window, int rank, const struct part *remote, const struct part *local, bool puts,
                   bool stays);
/* Keeps such a put, of one piece, with a copy of its data. */
void deferred_keep_copy(struct window *window, int rank, const void *data, char *there, size_t bytes);
/* Does all accumulates of words that are kept. */
void kept_words_do(struct window *window);
static inline void kept_words_finish(struct window *window) {
  if (UNLIKELY(window->kept.count))
    kept_words_do(window);
}
/* The same in a flush. */
static inline void kept_words_flush(struct window *window) {
  if (window->kept.called == 0)
    return;
  window->kept.is_only_one = window->kept.called == 1;
  window->kept.called = 0;
  kept_words_finish(window);
}

/* ---- handed_puts.c ---- */

/* True: the put is kept, with a copy of its data, for the target to bring it to its place. */
bool handed_keep(struct window *window, int rank, const struct part *remote, const struct part *local);
/* What is for this rank, or for all, goes to where others go that are kept. */
enum { HANDED_TO_ALL = -1 };
COLD void handed_do(struct window *window, int rank);
/* Hands all of it to its targets, before this rank completes, or comes to a fence. The latter says whether there is
 * something; then comes handed_bring_fenced between two barriers, and handed_is_fenced. */
void handed_complete(struct window *window);
bool handed_fence(struct window *window);
void handed_is_fenced(struct window *window);
/* Brings to its place what that member has handed to this one, and has completed; what all have, in a fence. */
void handed_bring_completed(struct window *window, int place);
void handed_bring_fenced(struct window *window);
/* Frees its memory, which no other member reads any more. */
void handed_free(struct window *window);

/* All that was kept before is done when this returns; another thread may keep more meanwhile. */
COLD void deferred_do(struct window *window);
/* The same of what is not handed. */
COLD void deferred_do_batch(struct window *window);
/* What is kept is done, accumulates too. `handed`: and what is handed. */
static inline void deferred_finish_with(struct window *window, bool handed) {
  kept_words_finish(window);
  struct deferred *deferred = window->deferred;
  if (UNLIKELY(deferred && (deferred->batch.count || deferred->doing || (handed && deferred->handed.used))))
    handed ? deferred_do(window) : deferred_do_batch(window);
}
static inline void deferred_finish(struct window *window) { deferred_finish_with(window, true); }
/* Does puts and gets before another operation on that target, for the order in which they were called. */
static inline void deferred_finish_for_rank(struct window *window, int rank) {
  struct deferred *deferred = window->deferred;
  if (UNLIKELY(deferred && deferred->handed.used))
    handed_do(window, rank);
  if (UNLIKELY(deferred && (deferred->doing || (deferred->batch.count && deferred->rank == rank))))
    deferred_do_batch(window);
}
static inline void deferred_finish_for(struct window *window, int rank) {
  kept_words_finish(window);
  deferred_finish_for_rank(window, rank);
}

#endif
