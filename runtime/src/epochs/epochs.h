/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the members of a window of the program's share for its epochs, where they are on one node: in the segment of the
 * first of them. Knows nothing of MPI: the unit tests run it with threads as members.
 *
 *   struct area, for barriers | struct epochs_member[members] | struct epochs_pair[members][members], in whole lines
 *
 *   - Each member has a *lock* for those that lock its memory: one for readers and writers that serves in the order of
 *     coming (Mellor-Crummey, Scott 1991), so that neither kind waits for ever.
 *   - Each member has a *latch*, that who accumulates into its memory holds. Where several members change single words
 *     of it, one after the other, the latch is *open*: then each of them announces itself in a line of its own and does
 *     it by an atomic instruction, without the latch, whose line then stays where it is. Who needs all to be out takes
 *     the latch and waits for those that are announced: a lock for readers and writers that is biased to readers (Dice,
 *     Kogan 2019), where words are the readers.
 *   - Each member counts, per other member, how often it has *posted* to that one, and that one counts how often it has
 *     *completed*: post, start, complete and wait need no more.
 *   - What an origin cannot store in a target's memory itself it may *hand* to it: the target brings it to its place
 *     in the call that ends the epoch there, which it has to make anyhow.
 *
 * Every shared word says who writes it (w), who reads it (r), and which order pairs with which. None of these functions
 * waits: what is not there yet is to be asked for again.
 */
#ifndef MPISHM_EPOCHS_H
#define MPISHM_EPOCHS_H

#include "area/area.h"

/* Where a member's part of the window lies. w: the member, before the barrier that ends the making of the window.
 * r: all, after it. */
struct epochs_place {
  uint64_t address;   /* in its process */
  uint64_t offset;    /* in its segment; 0: it is not there */
  uint64_t bytes;     /* of the part */
  uint64_t unit;      /* of displacements, in bytes */
  uint32_t is_mapped; /* MPI says where others see it */
};

/* Numbers wrap; they are compared for being the same alone. */
struct epochs_lock {
  /* The ticket of who comes next. w, r: who comes; an addition gives each its own. */
  _Alignas(LINE) _Atomic uint32_t next;
  /* The ticket whose holder may read: all before have been let in as readers, or are through. w: a reader that is let
   * in, for the one after it; a writer that is through; release. r: who waits to read, acquire: what the writers before
   * have done. */
  _Atomic uint32_t readers;
  /* The ticket whose holder may write: all before are through. w: readers and writers that are through, release, by
   * additions, so that each release is seen with the last. r: who waits to write, acquire. */
  _Atomic uint32_t writers;
};

struct epochs_member {
  struct epochs_lock lock;
  /* Enum latch_bits; while it is free and not open, also who held it last. w: who accumulates, to take it by an
   * exchange and to give it back, release: what the one before has stored. r: the same, and who changes a word,
   * acquire. */
  _Alignas(LINE) _Atomic uint32_t latch;
  struct epochs_place place;
  /* Offset in its segment of what it hands to others. w: the member, once, before the first epochs_pair.handed. r: the
   * others, after they have seen that. */
  uint64_t handed;
  /* The member whose word this one is changing, and 1; 0: none. w: this member, by an exchange before it looks whether
   * the latch is open, which is why both are sequentially consistent; and release, when the word is changed. r: who has
   * taken that latch, acquire. */
  _Alignas(LINE) _Atomic uint32_t announced;
};

enum latch_bits {
  LATCH_HELD = 1,
  LATCH_OPEN = 2, /* to those that change words */
  /* How often, one after the other, somebody else changed a word than the one before: up to LATCH_TURNS. */
  LATCH_TURN = 4,
  LATCH_TURNS = 3,
  LATCH_LAST = 16 /* times the place of who held it last, and 1 */
};

/* Of a target and an origin. The origin may access what the target exposes while `posted` is one ahead. */
struct epochs_pair {
  /* w: the target that posts, release. r: the origin that starts, acquire: what the target has stored before. */
  _Atomic uint16_t posted;
  /* w: the origin that completes, release. r: the target that waits, acquire: what the origin has put, or handed. */
  _Atomic uint16_t completed;
  /* Bytes from what the origin hands to others, in which there is something for this target; 0: nothing. w: the origin,
   * before it completes, or before its flags of a fence; and 0, the target, release, when it has read all. r: the
   * target, when it has seen these; and the origin, acquire, before it writes the same memory again. */
  _Atomic uint32_t handed;
};

/* A member's own side. */
struct epochs {
  struct seat seat;
  struct epochs_member *members;
  struct epochs_pair *pairs;
  size_t row; /* pairs of a target */
};

/* Bytes for so many members; the memory begins with a line. */
size_t epochs_bytes(unsigned members);
/* By the member whose segment it is, before others are told. */
void epochs_init(void *memory, unsigned members);
/* `memory` is where this process has it. */
void epochs_take(struct epochs *epochs, void *memory, unsigned members, unsigned place);
/* The last use. */
static inline void epochs_leave(struct epochs *epochs) { seat_leave(&epochs->seat); }
/* Whether all have left: the memory may be used for something else. */
bool epochs_are_left(void *memory);

static inline struct epochs_pair *epochs_pair(const struct epochs *epochs, unsigned target, unsigned origin) {
  return &epochs->pairs[target * epochs->row + origin];
}

/* ---- Locks. Who takes a ticket asks until it is its turn. ---- */

static inline uint32_t lock_ticket(struct epochs_lock *lock) {
  return atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
}

/* True once, when the reader is let in: and so is the next, if that is a reader, too. */
static inline bool lock_reads(struct epochs_lock *lock, uint32_t ticket) {
  if (atomic_load_explicit(&lock->readers, memory_order_acquire) != ticket)
    return false;
  atomic_store_explicit(&lock->readers, ticket + 1, memory_order_release);
  return true;
}
static inline bool lock_writes(struct epochs_lock *lock, uint32_t ticket) {
  return atomic_load_explicit(&lock->writers, memory_order_acquire) == ticket;
}
static inline void lock_read(struct epochs_lock *lock) {
  atomic_fetch_add_explicit(&lock->writers, 1, memory_order_release);
}
/* A reader that is let in by the first addition may be through before the second, which is why that is none of a store.
 */
static inline void lock_written(struct epochs_lock *lock) {
  atomic_fetch_add_explicit(&lock->readers, 1, memory_order_release);
  atomic_fetch_add_explicit(&lock->writers, 1, memory_order_release);
}

/* ---- Latches. ---- */

/* `before` is for giving it back. Where the latch was open, those that are announced are still to be waited for. */
static inline bool latch_take(struct epochs_member *member, uint32_t *before) {
  if (atomic_load_explicit(&member->latch, memory_order_relaxed) & LATCH_HELD)
    return false;
  *before = atomic_exchange_explicit(&member->latch, LATCH_HELD, memory_order_seq_cst);
  return !(*before & LATCH_HELD); /* else somebody was faster, and nothing has changed */
}
/* Whether that member changes no word of the target's any more. */
static inline bool word_is_over(const struct epochs *epochs, unsigned target, unsigned place) {
  return atomic_load_explicit(&epochs->members[place].announced, memory_order_seq_cst) != target + 1;
}
static inline void latch_give_back(struct epochs_member *member) {
  atomic_store_explicit(&member->latch, 0, memory_order_release);
}
/* The same where all that was changed is one word: opens the latch when members take turns in that. */
static inline void latch_give_back_word(const struct epochs *epochs, unsigned target, uint32_t before) {
  uint32_t me = epochs->seat.place + 1, last = before / LATCH_LAST, turns = before / LATCH_TURN % (LATCH_TURNS + 1);
  turns = last == 0 || last == me ? 0 : turns + 1;
  bool opens = turns > LATCH_TURNS || before & LATCH_OPEN;
  uint32_t after = opens ? LATCH_OPEN : me * LATCH_LAST + turns * LATCH_TURN;
  atomic_store_explicit(&epochs->members[target].latch, after, memory_order_release);
}

/* True: the latch is open, and nobody takes it before word_end. Of who sees it open and who takes it, one at least sees
 * the other: each writes first, and then looks. */
static inline bool word_begin(const struct epochs *epochs, unsigned target) {
  struct epochs_member *mine = &epochs->members[epochs->seat.place];
  _Atomic uint32_t *latch = &epochs->members[target].latch;
  if (atomic_load_explicit(latch, memory_order_relaxed) != LATCH_OPEN)
    return false;
  atomic_exchange_explicit(&mine->announced, target + 1, memory_order_seq_cst);
  if (atomic_load_explicit(latch, memory_order_seq_cst) == LATCH_OPEN)
    return true;
  atomic_store_explicit(&mine->announced, 0, memory_order_release);
  return false;
}
static inline void word_end(const struct epochs *epochs) {
  atomic_store_explicit(&epochs->members[epochs->seat.place].announced, 0, memory_order_release);
}

/* ---- Post, start, complete, wait. ---- */

static inline void pair_add(_Atomic uint16_t *word) { /* of who calls, alone */
  uint16_t count = atomic_load_explicit(word, memory_order_relaxed);
  atomic_store_explicit(word, (uint16_t)(count + 1), memory_order_release);
}
static inline void exposure_post(const struct epochs *epochs, unsigned origin) {
  pair_add(&epochs_pair(epochs, epochs->seat.place, origin)->posted);
}
static inline bool exposure_is_there(const struct epochs *epochs, unsigned target) {
  struct epochs_pair *pair = epochs_pair(epochs, target, epochs->seat.place);
  return atomic_load_explicit(&pair->posted, memory_order_acquire) !=
         atomic_load_explicit(&pair->completed, memory_order_relaxed);
}
static inline void exposure_complete(const struct epochs *epochs, unsigned target) {
  pair_add(&epochs_pair(epochs, target, epochs->seat.place)->completed);
}
static inline bool exposure_is_over(const struct epochs *epochs, unsigned origin) {
  struct epochs_pair *pair = epochs_pair(epochs, epochs->seat.place, origin);
  return atomic_load_explicit(&pair->completed, memory_order_acquire) ==
         atomic_load_explicit(&pair->posted, memory_order_relaxed);
}

/* ---- What is handed. ---- */

/* Before exposure_complete, or a fence. */
static inline void exposure_hand(const struct epochs *epochs, unsigned target, uint32_t bytes) {
  atomic_store_explicit(&epochs_pair(epochs, target, epochs->seat.place)->handed, bytes, memory_order_relaxed);
}
/* What an origin has handed to this member, whose exposure is over, or which is through a fence. */
static inline uint32_t exposure_handed(const struct epochs *epochs, unsigned origin) {
  return atomic_load_explicit(&epochs_pair(epochs, epochs->seat.place, origin)->handed, memory_order_relaxed);
}
static inline void exposure_is_brought(const struct epochs *epochs, unsigned origin) {
  atomic_store_explicit(&epochs_pair(epochs, epochs->seat.place, origin)->handed, 0, memory_order_release);
}
/* Whether the target is through with what this member has handed to it. */
static inline bool handed_is_read(const struct epochs *epochs, unsigned target) {
  return atomic_load_explicit(&epochs_pair(epochs, target, epochs->seat.place)->handed, memory_order_acquire) == 0;
}

#endif
