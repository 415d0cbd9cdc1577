/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "harness.h"
#include "epochs/epochs.h"
#include "epochs/words.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

struct sharers {
  void *memory;
  struct epochs epochs[MOST];
};

struct sharers *sharers_create(unsigned count) {
  struct sharers *sharers = calloc(1, sizeof *sharers);
  size_t bytes = (epochs_bytes(count) + LINE - 1) / LINE * LINE;
  sharers->memory = aligned_alloc(LINE, bytes);
  memset(sharers->memory, 0xa5, bytes); /* as memory that was used before */
  epochs_init(sharers->memory, count);
  for (unsigned i = 0; i < count; i++) {
    epochs_take(&sharers->epochs[i], sharers->memory, count, i);
    struct epochs_lock *lock = &sharers->epochs[i].members[i].lock; /* numbers wrap in the tests */
    atomic_store_explicit(&lock->next, -3u, memory_order_relaxed);
    atomic_store_explicit(&lock->readers, -3u, memory_order_relaxed);
    atomic_store_explicit(&lock->writers, -3u, memory_order_relaxed);
  }
  return sharers;
}

bool sharers_destroy(struct sharers *sharers) {
  bool left = epochs_are_left(sharers->memory);
  free(sharers->memory);
  free(sharers);
  return left;
}

void sharers_leave(struct sharers *sharers, unsigned place) { epochs_leave(&sharers->epochs[place]); }

void sharers_barrier(struct sharers *sharers, unsigned place) {
  struct seat *seat = &sharers->epochs[place].seat;
  uint32_t bits = 0;
  barrier_begin(seat);
  for (unsigned round = 0; round < seat->rounds; round++) {
    barrier_tell(seat, round, bits);
    while (!barrier_told(seat, round, &bits))
      sched_yield();
  }
  barrier_end(seat);
}

static struct epochs_lock *lock_of(struct sharers *sharers, unsigned place, unsigned target) {
  return &sharers->epochs[place].members[target].lock;
}

unsigned sharers_queue(struct sharers *sharers, unsigned place, unsigned target) {
  return lock_ticket(lock_of(sharers, place, target));
}

bool sharers_try(struct sharers *sharers, unsigned place, unsigned target, unsigned ticket, bool exclusive) {
  struct epochs_lock *lock = lock_of(sharers, place, target);
  return exclusive ? lock_writes(lock, ticket) : lock_reads(lock, ticket);
}

unsigned sharers_lock(struct sharers *sharers, unsigned place, unsigned target, bool exclusive) {
  unsigned ticket = sharers_queue(sharers, place, target);
  while (!sharers_try(sharers, place, target, ticket, exclusive))
    sched_yield();
  return ticket;
}

void sharers_unlock(struct sharers *sharers, unsigned place, unsigned target, bool exclusive) {
  struct epochs_lock *lock = lock_of(sharers, place, target);
  exclusive ? lock_written(lock) : lock_read(lock);
}

unsigned sharers_latch(struct sharers *sharers, unsigned place, unsigned target) {
  const struct epochs *epochs = &sharers->epochs[place];
  uint32_t before;
  while (!latch_take(&epochs->members[target], &before))
    sched_yield();
  for (unsigned other = 0; before & LATCH_OPEN && other < epochs->seat.members; other++)
    while (!word_is_over(epochs, target, other))
      sched_yield();
  return before;
}

void sharers_unlatch(struct sharers *sharers, unsigned place, unsigned target) {
  latch_give_back(&sharers->epochs[place].members[target]);
}

void sharers_unlatch_word(struct sharers *sharers, unsigned place, unsigned target, unsigned before) {
  latch_give_back_word(&sharers->epochs[place], target, before);
}

bool sharers_word(struct sharers *sharers, unsigned place, unsigned target, unsigned *word, unsigned number) {
  const struct epochs *epochs = &sharers->epochs[place];
  if (!word_begin(epochs, target))
    return false;
  word_change(word, WORD_ADD, &number, NULL, sizeof *word);
  word_end(epochs);
  return true;
}

void sharers_add(struct sharers *sharers, unsigned place, unsigned target, unsigned *word, unsigned number) {
  if (sharers_word(sharers, place, target, word, number))
    return;
  unsigned before = sharers_latch(sharers, place, target);
  *word += number;
  sharers_unlatch_word(sharers, place, target, before);
}

void sharers_post(struct sharers *sharers, unsigned place, unsigned origin) {
  exposure_post(&sharers->epochs[place], origin);
}

bool sharers_can_start(struct sharers *sharers, unsigned place, unsigned target) {
  return exposure_is_there(&sharers->epochs[place], target);
}

void sharers_start(struct sharers *sharers, unsigned place, unsigned target) {
  while (!sharers_can_start(sharers, place, target))
    sched_yield();
}

void sharers_complete(struct sharers *sharers, unsigned place, unsigned target) {
  exposure_complete(&sharers->epochs[place], target);
}

void sharers_wait(struct sharers *sharers, unsigned place, unsigned origin) {
  while (!exposure_is_over(&sharers->epochs[place], origin))
    sched_yield();
}

void sharers_hand(struct sharers *sharers, unsigned place, unsigned target, unsigned bytes) {
  exposure_hand(&sharers->epochs[place], target, bytes);
}

unsigned sharers_handed(struct sharers *sharers, unsigned place, unsigned origin) {
  return exposure_handed(&sharers->epochs[place], origin);
}

void sharers_brought(struct sharers *sharers, unsigned place, unsigned origin) {
  exposure_is_brought(&sharers->epochs[place], origin);
}

bool sharers_can_hand(struct sharers *sharers, unsigned place, unsigned target) {
  return handed_is_read(&sharers->epochs[place], target);
}
