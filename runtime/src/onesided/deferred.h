/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Puts into memory that only the kernel reaches, and gets of it, in windows that are ours: kept, short puts with a copy
 * of their data, until the program asks for them to be complete, so that one call of the kernel does several. Of one
 * target at a time, and only puts or only gets. And accumulates of single words (accumulates.c), so that the lines of
 * several are under way together, and one latch, or one announcement, is for all of a target's. MPI permits both: a
 * call may take effect as late as the one that ends or flushes its epoch.
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

struct deferred {
  int rank;                 /* of the target */
  bool puts;                /* or gets */
  unsigned doing;           /* threads that MPI does earlier ones for, without the mutex */
  struct reach_batch batch; /* short puts: from `data` */
  size_t copied;
  char data[DEFERRED_BYTES];
};

/* NULL where there is no memory: nothing is deferred. Belongs to the caller. */
struct deferred *deferred_make(void);
/* True: the put, or the get, is kept. `stays`: the program leaves its buffer as it is until it asks for that. */
bool deferred_keep(struct window *window, int rank, const struct part *remote, const struct part *local, bool puts,
                   bool stays);
/* Does all accumulates of words that are kept. */
void kept_words_do(struct window *window);
static inline void kept_words_finish(struct window *window) {
  if (UNLIKELY(window->kept.count))
    kept_words_do(window);
}
/* All that was kept before is done when this returns; another thread may keep more meanwhile. */
COLD void deferred_do(struct window *window);
static inline void deferred_finish(struct window *window) {
  kept_words_finish(window);
  if (UNLIKELY(window->deferred && (window->deferred->batch.count || window->deferred->doing)))
    deferred_do(window);
}
/* The same of puts and gets before another operation on that target, for the order in which they were called. */
static inline void deferred_finish_for_rank(struct window *window, int rank) {
  if (UNLIKELY(window->deferred &&
               (window->deferred->doing || (window->deferred->batch.count && window->deferred->rank == rank))))
    deferred_do(window);
}
static inline void deferred_finish_for(struct window *window, int rank) {
  kept_words_finish(window);
  deferred_finish_for_rank(window, rank);
}

#endif
