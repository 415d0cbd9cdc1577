/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Words of a target's memory that loads and stores reach: where they are, and the time in which they are changed, by
 * atomic instructions while the latch is open, and else with the latch.
 */
#ifndef MPISHM_OPEN_WORDS_H
#define MPISHM_OPEN_WORDS_H

#include "epochs/words.h"
#include "onesided/deferred.h"
#include "onesided/held_words.h"

/* Where so many bytes lie. NULL: they are not in the target's memory. */
static inline char *target_bytes_at(const struct target *target, MPI_Aint disp, size_t bytes) {
  MPI_Aint at;
  if (__builtin_mul_overflow(disp, target->unit, &at) || at < 0 || target->bytes < bytes ||
      (size_t)at > target->bytes - bytes)
    return NULL;
  return displaced(target->base, at);
}
/* Where an element lies that is a word. NULL: it is not in the target's memory, or none. */
static inline char *word_at(const struct target *target, MPI_Aint disp, size_t bytes) {
  char *there = target_bytes_at(target, disp, bytes);
  return there && is_word(there, bytes) ? there : NULL;
}

/* As the target's only word, or one of several. True: by atomic instructions. */
static inline bool begin_words(struct window *window, const struct target *target, uint32_t *before) {
  if (word_begin(&window->epochs, (unsigned)target->place))
    return true;
  if (UNLIKELY(!latch_take(&window->epochs.members[target->place], before)))
    *before = take_latch(window, target);
  else if (UNLIKELY(*before & LATCH_OPEN))
    wait_for_words(window, target);
  return false;
}
static inline void end_words(struct window *window, const struct target *target, bool is_open, uint32_t before) {
  if (is_open)
    word_end(&window->epochs);
  else
    latch_give_back_word(&window->epochs, (unsigned)target->place, before);
}

/* The window that was used last, where this rank may access the target now, by loads and stores (window_at_once). */
static inline struct window *target_at_once(MPI_Win win, int rank) {
  struct window *window = window_at_once(win, rank, ACCESS_STARTED | ACCESS_SHARED | ACCESS_EXCLUSIVE);
  return window && window->targets[rank].reach == REACH_BY_LOADS ? window : NULL;
}

/* The target of what is done here; else NULL, and what becomes of it. */
const struct target *accumulated_target(MPI_Win win, int rank, struct window **window, enum outcome *outcome);

/* Where MPI is to do it, the latch is still held. */
static inline enum outcome end_with_latch(struct window *window, const struct target *target, enum outcome outcome) {
  if (outcome != OUTCOME_IN_LATCH)
    latch_give_back(&window->epochs.members[target->place]);
  return outcome;
}

#endif
