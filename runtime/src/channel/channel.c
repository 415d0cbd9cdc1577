/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What both sides of a channel share: the inbox's lock and the states of a rendezvous.
 */
#include "channel/channel.h"

#include <sched.h>

enum { SPINS_BEFORE_YIELD = 200 };

/* Held for a few dozen instructions and never while waiting, so that spinning is right; the yield is for a holder that
 * lost its core. */
void inbox_lock(struct inbox *inbox) {
  int spins = 0;
  while (atomic_exchange_explicit(&inbox->lock, 1, memory_order_acquire) != 0)
    while (atomic_load_explicit(&inbox->lock, memory_order_relaxed) != 0) {
      cpu_relax();
      if (++spins % SPINS_BEFORE_YIELD == 0)
        sched_yield();
    }
}

void inbox_unlock(struct inbox *inbox) { atomic_store_explicit(&inbox->lock, 0, memory_order_release); }

static bool change_state(struct rendezvous *rendezvous, enum rendezvous_state from, enum rendezvous_state to) {
  uint32_t expected = from;
  return atomic_compare_exchange_strong_explicit(&rendezvous->state, &expected, to, memory_order_acq_rel,
                                                 memory_order_acquire);
}

enum claim rendezvous_claim(struct rendezvous *rendezvous) {
  if (!(rendezvous_look(rendezvous) == RENDEZVOUS_POSTED &&
        change_state(rendezvous, RENDEZVOUS_POSTED, RENDEZVOUS_CLAIMED)) &&
      rendezvous_look(rendezvous) != RENDEZVOUS_STAGED)
    return rendezvous_look(rendezvous) == RENDEZVOUS_BY_MPI ? CLAIM_MPI : CLAIM_LATER;
  return rendezvous->offset ? CLAIM_WINDOW : CLAIM_PROCESS;
}

void rendezvous_finish(struct rendezvous *rendezvous) {
  atomic_store_explicit(&rendezvous->state, RENDEZVOUS_DONE, memory_order_release);
}

void rendezvous_refuse(struct rendezvous *rendezvous) {
  atomic_store_explicit(&rendezvous->state, RENDEZVOUS_REFUSED, memory_order_release);
}

bool rendezvous_take_back(struct rendezvous *rendezvous) {
  return change_state(rendezvous, RENDEZVOUS_POSTED, RENDEZVOUS_STAGING) ||
         rendezvous_look(rendezvous) == RENDEZVOUS_REFUSED;
}

void rendezvous_leave(struct rendezvous *rendezvous, uint64_t position) {
  rendezvous->position = position;
  atomic_store_explicit(&rendezvous->state, RENDEZVOUS_BY_MPI, memory_order_release);
}

void rendezvous_put(struct rendezvous *rendezvous, uint64_t bytes) {
  atomic_store_explicit(&rendezvous->staged, bytes, memory_order_release);
}

void rendezvous_staged(struct rendezvous *rendezvous, uint64_t offset) {
  rendezvous_put(rendezvous, rendezvous->bytes);
  rendezvous->offset = offset;
  atomic_store_explicit(&rendezvous->state, RENDEZVOUS_STAGED, memory_order_release);
}

void rendezvous_staging(struct rendezvous *rendezvous, uint64_t offset) {
  rendezvous_put(rendezvous, 0);
  rendezvous->offset = offset;
  atomic_store_explicit(&rendezvous->state, RENDEZVOUS_STAGED, memory_order_release);
}
