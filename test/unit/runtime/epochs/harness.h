/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What members of a window share for its epochs, with threads as members: what onesided/ does with epochs.h, without
 * MPI. C, since the headers of the runtime use C's atomics. Functions that take a place belong to the thread of that
 * member.
 */
#ifndef MPISHM_TEST_EPOCHS_H
#define MPISHM_TEST_EPOCHS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sharers;

struct sharers *sharers_create(unsigned count);
/* Whether all had left. */
bool sharers_destroy(struct sharers *sharers);
void sharers_leave(struct sharers *sharers, unsigned place);

/* Each waits until it is done. */
void sharers_barrier(struct sharers *sharers, unsigned place);
unsigned sharers_lock(struct sharers *sharers, unsigned place, unsigned target, bool exclusive);
void sharers_unlock(struct sharers *sharers, unsigned place, unsigned target, bool exclusive);
/* Takes a ticket for a lock, which is to be had with sharers_await. */
unsigned sharers_queue(struct sharers *sharers, unsigned place, unsigned target);
bool sharers_try(struct sharers *sharers, unsigned place, unsigned target, unsigned ticket, bool exclusive);
/* Returns what the latch was before, for sharers_unlatch_word. */
unsigned sharers_latch(struct sharers *sharers, unsigned place, unsigned target);
void sharers_unlatch(struct sharers *sharers, unsigned place, unsigned target);
void sharers_unlatch_word(struct sharers *sharers, unsigned place, unsigned target, unsigned before);
/* Adds to a word of the target's by an instruction; false: the latch is not open. */
bool sharers_word(struct sharers *sharers, unsigned place, unsigned target, unsigned *word, unsigned number);
/* The same, or with the latch. */
void sharers_add(struct sharers *sharers, unsigned place, unsigned target, unsigned *word, unsigned number);
void sharers_post(struct sharers *sharers, unsigned place, unsigned origin);
void sharers_start(struct sharers *sharers, unsigned place, unsigned target);
bool sharers_can_start(struct sharers *sharers, unsigned place, unsigned target);
void sharers_complete(struct sharers *sharers, unsigned place, unsigned target);
void sharers_wait(struct sharers *sharers, unsigned place, unsigned origin);
void sharers_hand(struct sharers *sharers, unsigned place, unsigned target, unsigned bytes);
unsigned sharers_handed(struct sharers *sharers, unsigned place, unsigned origin);
void sharers_brought(struct sharers *sharers, unsigned place, unsigned origin);
bool sharers_can_hand(struct sharers *sharers, unsigned place, unsigned target);

#ifdef __cplusplus
}
#endif

#endif
