/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "members/trials.h"
#include "base/environment.h"
#include "members/members.h"

#include <stdlib.h>

enum { SIZE_CLASSES = 13, NO_KIND = -1 }; /* from one power of two to the next; the last has all that is longer */
enum { BY_LIBRARY, HERE, BOTH_WAYS };

/* A round of a trial: so many calls by the library, then so many ours, then ours until all have told. A library's first
 * calls after a while may cost many times what it takes later: it makes memory to share, or none of its code and data
 * is in the caches. So some are not timed. Members may run ahead of one another in the others, since libraries keep
 * data; so the first of ours, in which they meet again, is counted as the library's. In the next the caches do not hold
 * yet what our way leaves in them. Then as many are timed. */
enum {
  COLD_CALLS = 2,
  LIBRARY_CALLS = COLD_CALLS + 4,
  TIMED_OF_LIBRARY = LIBRARY_CALLS + 1,
  UNTIMED_CALL = TIMED_OF_LIBRARY,
  ROUND_CALLS = UNTIMED_CALL + 1 + TIMED_OF_LIBRARY - COLD_CALLS,
  MOST_ROUNDS = 3, /* of which the best counts: a rank may lose its core; less if they leave no doubt, but at least: */
  FIRST_ROUNDS = 2 /* in the first trial, and before the way is changed */
};
/* The other way must cost less than 23/24, which is 19/20 without the call that is in both. */
enum { NOISE = 24 };
/* How long until the next trial, in as many calls as are before the first: at least, and each time as many times as
 * long, up to; and so many for each call's time that the last one has cost. After the first trial, in which the library
 * may have been slow for that it was new to it, that counts up to a limit. */
enum { SHORTEST_PERIOD = 2, TIMES_AS_LONG = 4, LONGEST_PERIOD = 512, LONGEST_FIRST = 32, CALLS_PER_LOSS = 2 };
/* A trial whose kind no longer comes, among so many others that are counted, is over. */
enum { MOST_OTHERS = 64 };

struct preference {
  uint32_t left;   /* calls before the next trial */
  uint32_t period; /* what that was after the last one; 0: there was none */
  bool by_library;
};

struct trials {
  int kind;              /* that is tried; NO_KIND: none */
  unsigned round, calls; /* of the trial; of the round */
  unsigned others;       /* calls of other kinds since the last of this one */
  uint32_t number;       /* of the last finding */
  bool told;
  uint64_t known;             /* at the end of this epoch all have told */
  uint64_t costs[BOTH_WAYS];  /* of the round, for this member */
  uint64_t least[BOTH_WAYS];  /* of all rounds, for the slowest member */
  bool any[TRIED_OPERATIONS]; /* there was a trial */
  /* The call under way. */
  int now;
  bool by_library;
  uint64_t began; /* 0: it is not timed */
  struct preference preferences[TRIED_OPERATIONS * SIZE_CLASSES];
};

_Thread_local struct communicator *tried_now;

int trials_wanted(void) { return environment_number("MPISHM_TRIALS", MOST_CALLS_BEFORE_TRIAL); }

bool trials_make(struct communicator *communicator) {
  if (mpishm.calls_before_trial == 0 || mpishm.collectives_by_mpi || communicator->size < 2 ||
      communicator->local_count < communicator->size)
    return true;
  struct trials *trials = calloc(1, sizeof *trials);
  if (trials) {
    trials->kind = NO_KIND;
    for (int i = 0; i < TRIED_OPERATIONS * SIZE_CLASSES; i++)
      trials->preferences[i].left = (uint32_t)mpishm.calls_before_trial;
  }
  communicator->trials = trials;
  return trials != NULL;
}

static int kind_of(enum tried operation, size_t bytes) {
  int class = 0;
  for (size_t rest = bytes / TRIED_BYTES; rest > 1 && class < SIZE_CLASSES - 1; rest >>= 1)
    class ++;
  return (int)operation * SIZE_CLASSES + class;
}

bool trial_may_leave(const struct communicator *communicator, enum tried operation) {
  return communicator->trials && operation != NOT_TRIED && communicator->trials->any[operation];
}

/* ---- Rounds. ---- */

static bool is_timed(unsigned call) { return call >= COLD_CALLS && call < ROUND_CALLS && call != UNTIMED_CALL; }

bool trial_begin(struct communicator *communicator, enum tried operation, size_t bytes) {
  struct trials *trials = communicator->trials;
  if (mpishm.calls_before_trial == 0)
    return false;
  tried_now = communicator;
  trials->now = kind_of(operation, bytes);
  bool is_tried = trials->now == trials->kind;
  trials->by_library = is_tried ? trials->calls < LIBRARY_CALLS : trials->preferences[trials->now].by_library;
  if (UNLIKELY(trials->by_library && mpishm.watching))
    watch_left_to_library();
  trials->began = is_tried && is_timed(trials->calls) ? watch_clock() : 0;
  return trials->by_library;
}

uint64_t trial_clock(const struct communicator *communicator, enum tried operation) {
  const struct trials *trials = communicator->trials;
  bool is_tried = trials->kind != NO_KIND && trials->kind / SIZE_CLASSES == (int)operation;
  return is_tried && is_timed(trials->calls) ? watch_clock() : 0;
}

bool trial_leaves_class(struct communicator *communicator, enum tried operation, uint8_t size_class, uint64_t began) {
  if (size_class == 0)
    return false;
  bool by_library = trial_begin(communicator, operation, (size_t)TRIED_BYTES << (size_class - 1));
  if (communicator->trials->began)
    communicator->trials->began = began;
  return by_library;
}

static void begin_round(struct trials *trials) {
  trials->calls = 0;
  trials->told = false;
  trials->costs[BY_LIBRARY] = trials->costs[HERE] = 0;
}

static void begin_trial(struct trials *trials) {
  trials->kind = trials->now;
  trials->round = trials->others = 0;
  trials->least[BY_LIBRARY] = trials->least[HERE] = UINT64_MAX;
  trials->any[trials->kind / SIZE_CLASSES] = true;
  begin_round(trials);
}

/* ---- Decisions, from what all members know. ---- */

static uint32_t period_after(const struct trials *trials, const struct preference *preference) {
  const uint64_t unit = (uint64_t)mpishm.calls_before_trial;
  const uint64_t longest = (preference->period == 0 ? LONGEST_FIRST : LONGEST_PERIOD) * unit;
  int way = preference->by_library ? BY_LIBRARY : HERE;
  uint64_t better = trials->least[way], worse = trials->least[!way],
           period = (uint64_t)preference->period * TIMES_AS_LONG;
  uint64_t calls = (uint64_t)trials->round * (way == HERE ? LIBRARY_CALLS : ROUND_CALLS - LIBRARY_CALLS + 1 + SLOTS);
  uint64_t lost = worse > better ? calls * (worse - better) / (better + 1) : 0; /* in calls */
  period = period < SHORTEST_PERIOD * unit ? SHORTEST_PERIOD * unit : period;
  period = period < CALLS_PER_LOSS * unit * lost ? CALLS_PER_LOSS * unit * lost : period;
  return (uint32_t)(period < longest ? period : longest);
}

static void decide_preference(struct trials *trials) {
  struct preference *preference = &trials->preferences[trials->kind];
  int way = preference->by_library ? BY_LIBRARY : HERE;
  uint64_t now = trials->least[way], other = trials->least[!way];
  bool is_better = other < now - now / NOISE;
  bool no_doubt = other > now + now / 2 || now > other + other / 2;
  unsigned enough = is_better || preference->period == 0 ? FIRST_ROUNDS : 1;
  if (trials->round < (no_doubt ? enough : MOST_ROUNDS)) {
    begin_round(trials);
    return;
  }
  if (is_better) {
    preference->by_library = !preference->by_library;
    preference->period = 0;
  }
  preference->left = preference->period = period_after(trials, preference);
  trials->kind = NO_KIND;
}

/* All have told, so that nobody waits here. */
static void end_round(struct communicator *communicator) {
  struct trials *trials = communicator->trials;
  uint64_t most[BOTH_WAYS] = {0, 0};
  for (unsigned i = 0; i < communicator->seat.members; i++) {
    uint64_t costs[BOTH_WAYS];
    struct waiter waiter = {0};
    while (!finding_told(&communicator->seat, i, trials->number, costs))
      collective_pause(&waiter, communicator, i);
    for (int way = 0; way < BOTH_WAYS; way++)
      most[way] = costs[way] > most[way] ? costs[way] : most[way];
  }
  for (int way = 0; way < BOTH_WAYS; way++)
    trials->least[way] = most[way] < trials->least[way] ? most[way] : trials->least[way];
  trials->round++;
  decide_preference(trials);
}

/* ---- Calls. ---- */

static void count_tried(struct communicator *communicator) {
  struct trials *trials = communicator->trials;
  if (trials->began)
    trials->costs[trials->calls < TIMED_OF_LIBRARY ? BY_LIBRARY : HERE] += watch_clock() - trials->began;
  trials->others = 0;
  trials->calls++;
  if (!trials->told && trials->calls == ROUND_CALLS) {
    finding_tell(&communicator->seat, ++trials->number, trials->costs);
    trials->known = finding_epoch(&communicator->seat);
    trials->told = true;
  } else if (trials->told && communicator->seat.epoch >= trials->known) {
    end_round(communicator);
  }
}

static void count_other(struct trials *trials) {
  struct preference *preference = &trials->preferences[trials->now];
  if (preference->left > 0)
    preference->left--;
  if (trials->kind != NO_KIND && ++trials->others > MOST_OTHERS)
    trials->kind = NO_KIND;
  if (preference->left == 0 && trials->kind == NO_KIND)
    begin_trial(trials);
}

void trial_over(bool by_mpi) {
  struct communicator *communicator = tried_now;
  struct trials *trials = communicator->trials;
  tried_now = NULL;
  if (by_mpi && !trials->by_library)
    return;
  if (trials->now == trials->kind)
    count_tried(communicator);
  else
    count_other(trials);
}
