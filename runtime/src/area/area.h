/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the members of a communicator share for its collectives, where all of them are on one node: an *area* in the
 * segment of the first of them. Knows nothing of MPI: the unit tests and the model run it with threads as ranks.
 *
 *   struct area | struct area_flag[members][rounds] | struct area_done[members] | struct area_finding[members] |
 *   slots[members][SLOTS]
 *
 * Collectives of a communicator match by their order. Each member counts them in its own *seat*, barriers and others
 * apart; the count is the *epoch* that the shared words carry, so that nothing must be cleared. That of barriers wraps:
 * each of them writes every flag. That of the others must not: a slot may stay as it is for as long as other members
 * are the roots.
 *
 *   - A *barrier* is one by dissemination (Hensgen, Finkel, Manber 1988): in round k a member tells the one 2^k places
 *     on. Two bits go along, each of which comes out set where any member has set it.
 *   - What a member has for the others stands in its *slot* of the epoch. It writes the slot again SLOTS epochs later,
 *     once all members are done with it: which it knows from a barrier, from slots of all of them that it has seen
 *     since, or from the epochs that they say to be done with.
 *   - What a member has measured it *tells* between two epochs. SLOTS + 1 epochs later all members have, as who has
 *     written a slot by then, or heard one that did, knows them to be done with the first of these.
 *
 * Every shared word says who writes it (w), who reads it (r), and which order pairs with which. A seat belongs to one
 * thread at a time. None of these functions waits: what is not there yet is to be asked for again.
 */
#ifndef MPISHM_AREA_H
#define MPISHM_AREA_H

#include "channel/segment.h"

enum {
  SLOTS = 4, /* a power of two */
  BARRIER_BITS = 2
};

struct area_flag {
  /* Of even and of odd epochs: epoch << BARRIER_BITS | bits. Two, since a member that is through with a barrier may
   * begin the next one before another has read what it was told in the first. w: the member 2^round places before,
   * release. r: the member, acquire: what any member did before the barrier is visible to all after it. */
  _Alignas(LINE) _Atomic uint32_t word[2];
};

struct area_done {
  /* The last epoch whose slots, all of them, the member reads no more. w: the member, release. r: members that want to
   * write a slot again, or memory that a slot refers to, acquire. */
  _Alignas(LINE) _Atomic uint64_t epoch;
  /* 1: the member uses the area no more. w: the member, release. r: whose segment it is, acquire. */
  _Atomic uint32_t left;
};

/* Of even and of odd findings: what is told next does not overwrite what others may still read. */
struct area_finding {
  _Alignas(LINE) struct {
    uint64_t costs[2]; /* w: the member, before */
    /* w: the member, release. r: the others, acquire: the costs, until they are done with an epoch that is begun
     * afterwards. */
    _Atomic uint32_t number;
  } of[2];
};

/* The first line also holds a small payload. */
struct slot {
  /* The epoch of what stands below. w: the member whose slot it is, release, after all the rest. r: the others,
   * acquire.
   */
  _Alignas(LINE) _Atomic uint64_t epoch;
  /* w: that member, before. */
  uint8_t kind;       /* of the payload */
  uint8_t size_class; /* of what the member has for others (members/trials.h) */
  uint16_t call;      /* which call it was, and whose (call_mark, members/members.h) */
  uint32_t bytes;     /* that stand in the payload */
  _Alignas(16) unsigned char payload[];
};

/* w: whose segment it is, before anybody is told where the area lies; constant afterwards, but for `next`. */
struct area {
  _Alignas(LINE) uint32_t members;
  uint32_t rounds;     /* of a barrier */
  uint32_t slot_bytes; /* a multiple of LINE */
  struct area *next;   /* of those that may be left: means nothing to others */
};

/* A member's own side. */
struct seat {
  struct area *area;
  struct area_flag *flags; /* of all members */
  struct area_done *done;
  struct area_finding *findings;
  char *slots;
  unsigned place, members, rounds;
  uint32_t slot_bytes;
  uint32_t barrier; /* the last one that was begun */
  uint64_t epoch;   /* the same of all other collectives */
  uint64_t known;   /* all members are done with it */
};

size_t area_bytes(unsigned members, uint32_t slot_bytes);
void area_init(struct area *area, unsigned members, uint32_t slot_bytes);
/* Whether all members have left: the memory may be used for something else. */
bool area_is_left(struct area *area);
/* The memory of an area as another process sees it may lie at another address: `area` is where this one has it. */
void seat_take(struct seat *seat, struct area *area, unsigned place);
/* The last use. */
void seat_leave(struct seat *seat);

/* ---- Barriers. ---- */

static inline void barrier_begin(struct seat *seat) { seat->barrier++; }
static inline unsigned barrier_from(const struct seat *seat, unsigned round) {
  return (seat->place + seat->members - (1u << round)) % seat->members;
}

static inline void barrier_tell(struct seat *seat, unsigned round, uint32_t bits) {
  unsigned to = (seat->place + (1u << round)) % seat->members;
  atomic_store_explicit(&seat->flags[to * seat->rounds + round].word[seat->barrier & 1],
                        seat->barrier << BARRIER_BITS | bits, memory_order_release);
}

/* False: not yet. Adds the bits that come with what was told. */
static inline bool barrier_told(struct seat *seat, unsigned round, uint32_t *bits) {
  uint32_t word = atomic_load_explicit(&seat->flags[seat->place * seat->rounds + round].word[seat->barrier & 1],
                                       memory_order_acquire);
  if (word >> BARRIER_BITS != (seat->barrier & UINT32_MAX >> BARRIER_BITS))
    return false;
  *bits |= word & ((1u << BARRIER_BITS) - 1);
  return true;
}

/* All rounds are through: every member has begun this barrier, and so has ended what came before. */
static inline void barrier_end(struct seat *seat) { seat->known = seat->epoch; }

/* ---- Slots. ---- */

/* The next collective. */
static inline void epoch_begin(struct seat *seat) { seat->epoch++; }

static inline struct slot *slot_at(const struct seat *seat, unsigned place) {
  return (struct slot *)(seat->slots + ((size_t)place * SLOTS + seat->epoch % SLOTS) * seat->slot_bytes);
}
static inline size_t slot_room(const struct seat *seat) { return seat->slot_bytes - offsetof(struct slot, payload); }

/* The last epoch that a member is done with. */
static inline uint64_t member_done(const struct seat *seat, unsigned place) {
  return atomic_load_explicit(&seat->done[place].epoch, memory_order_acquire);
}
/* Whether it is done with one that is not later than the present one. */
static inline bool member_is_done(const struct seat *seat, unsigned place, uint64_t epoch) {
  return member_done(seat, place) >= epoch;
}

/* Whether the own slot of this epoch may be written, as far as is known without a look at the others. */
static inline bool slot_is_known_free(const struct seat *seat) { return seat->known + SLOTS >= seat->epoch; }
/* The same with a look, after which it is known of as many epochs as all others are done with: who looks each time
 * makes each of their lines come each time. Else *place is a member that is not done. */
static inline bool slot_is_free(struct seat *seat, unsigned *place) {
  uint64_t least = UINT64_MAX;
  for (*place = 0; *place < seat->members; ++*place) {
    uint64_t done = *place == seat->place ? UINT64_MAX : member_done(seat, *place);
    if (done < seat->epoch - SLOTS) /* not before there are so many */
      return false;
    least = done < least ? done : least;
  }
  seat->known = least;
  return true;
}

static inline void slot_publish(struct seat *seat) {
  atomic_store_explicit(&slot_at(seat, seat->place)->epoch, seat->epoch, memory_order_release);
}

/* What another member has published in this epoch; NULL: nothing yet. To be read before epoch_end. */
static inline const struct slot *slot_look(const struct seat *seat, unsigned place) {
  struct slot *slot = slot_at(seat, place);
  return atomic_load_explicit(&slot->epoch, memory_order_acquire) == seat->epoch ? slot : NULL;
}

/* ---- Findings. ---- */

/* The number is one more than that of the last, which was told so many epochs before that all have read it. */
static inline void finding_tell(struct seat *seat, uint32_t number, const uint64_t costs[2]) {
  struct area_finding *finding = &seat->findings[seat->place];
  finding->of[number & 1].costs[0] = costs[0];
  finding->of[number & 1].costs[1] = costs[1];
  atomic_store_explicit(&finding->of[number & 1].number, number, memory_order_release);
}
/* False: not yet. */
static inline bool finding_told(const struct seat *seat, unsigned place, uint32_t number, uint64_t costs[2]) {
  struct area_finding *finding = &seat->findings[place];
  if (atomic_load_explicit(&finding->of[number & 1].number, memory_order_acquire) != number)
    return false;
  costs[0] = finding->of[number & 1].costs[0];
  costs[1] = finding->of[number & 1].costs[1];
  return true;
}
/* At the end of which epoch all have told what is told now. */
static inline uint64_t finding_epoch(const struct seat *seat) { return seat->epoch + 1 + SLOTS; }

/* ---- The end of a collective. ---- */

/* This member reads nothing of the epoch any more. */
static inline void epoch_end(struct seat *seat) {
  atomic_store_explicit(&seat->done[seat->place].epoch, seat->epoch, memory_order_release);
}
/* It has seen slots of all others, each of which has ended what came before. */
static inline void epoch_end_of_all(struct seat *seat) {
  seat->known = seat->epoch - 1;
  epoch_end(seat);
}

#endif
