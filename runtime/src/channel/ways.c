/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/ways.h"

/* The first messages are not timed: the memory that they are copied to comes from the system. */
enum { FIRST_WAY_PERIOD = 8, LONGEST_WAY_PERIOD = 1 << 13, LONGER_PERIOD = 4 };
/* Messages of each way that are timed in a period, and how many of them must have been told of to decide. */
enum { WAY_TRIALS = 8, WAY_NEEDED = WAY_TRIALS / 2 };
/* Messages of another way before those, until the caches hold what that way leaves in them. */
enum { WAY_CHANGE = 8 };
/* Picoseconds per byte: a few times as many as there are trials do not overflow. */
enum { HIGHEST_COST = 1 << 24 };
/* Another way must cost less than 15/16, so that noise does not change it. */
enum { WAY_NOISE = 16 };
/* More than one wait in vain in so many messages ends a period, once that has made up for so many waits. */
enum { MESSAGES_PER_WAIT = 4, WAITS_IN_VAIN = 8 };
/* The least class: of up to 16 KiB. */
enum { LEAST_WAY_BITS = 14 };

static struct ways_of_class *class_of(struct ways *ways, size_t bytes) {
  unsigned index = 0;
  for (size_t rest = (bytes ? bytes - 1 : 0) >> LEAST_WAY_BITS; rest && index < WAYS_CLASSES - 1; rest >>= 1)
    index++;
  return &ways->classes[index];
}

static bool told_of(const struct way_costs *costs) { return costs->count >= WAY_NEEDED; }

/* Without the one that took longest: the rank may have lost its core meanwhile. */
static uint32_t typical_cost(const struct way_costs *costs) { return (costs->sum - costs->most) / (costs->count - 1); }

static void begin_period(struct ways_of_class *of, unsigned period) {
  of->period = period < LONGEST_WAY_PERIOD ? period : LONGEST_WAY_PERIOD;
  of->started = of->in_vain = 0;
  for (unsigned way = 0; way < WAYS; way++)
    of->costs[way] = (struct way_costs){0, 0, 0};
}

/* The cheapest of those that enough was told of. False: of this way there was not, or of no other. */
static bool decide_way(struct ways_of_class *of) {
  enum way best = of->way;
  bool others = false;
  if (!told_of(&of->costs[of->way]))
    return false;
  uint32_t now = typical_cost(&of->costs[of->way]), least = now - now / WAY_NOISE;
  for (unsigned way = 0; way < WAYS; way++) {
    if (way == of->way || !told_of(&of->costs[way]))
      continue;
    uint32_t cost = typical_cost(&of->costs[way]);
    others = true;
    if (cost < least) {
      least = cost;
      best = (enum way)way;
    }
  }
  if (best != of->way) {
    of->way = best;
    begin_period(of, 2 * FIRST_WAY_PERIOD);
  } else if (others) {
    begin_period(of, of->period * LONGER_PERIOD);
  }
  return others;
}

struct choice ways_choose(struct ways *ways, unsigned count, size_t bytes) {
  enum { OTHER = WAY_CHANGE + WAY_TRIALS };
  struct ways_of_class *of = class_of(ways, bytes);
  if (of->period == 0)
    begin_period(of, FIRST_WAY_PERIOD);
  unsigned end = of->period + WAY_TRIALS + (count - 1) * OTHER;
  if (of->started >= end && !decide_way(of) && of->started >= end + WAY_TRIALS)
    begin_period(of, of->period * LONGER_PERIOD); /* some were never told of */
  if (of->in_vain)
    of->in_vain--;
  unsigned change = of->period + WAY_TRIALS, at = of->started++;
  if (at < change || at >= of->period + WAY_TRIALS + (count - 1) * OTHER)
    return (struct choice){of->way, at >= of->period && at < change};
  unsigned other = (at - change) / OTHER;
  return (struct choice){(enum way)((of->way + 1 + other) % count), (at - change) % OTHER >= WAY_CHANGE};
}

void ways_learn(struct ways *ways, size_t bytes, enum way way, uint64_t nanoseconds) {
  struct way_costs *costs = &class_of(ways, bytes)->costs[way];
  uint64_t exact = nanoseconds * 1000 / (bytes ? bytes : 1);
  uint32_t cost = exact < HIGHEST_COST ? (uint32_t)exact : HIGHEST_COST;
  costs->sum += cost;
  costs->count++;
  if (cost > costs->most)
    costs->most = cost;
}

void ways_waited_in_vain(struct ways *ways, size_t bytes) {
  struct ways_of_class *of = class_of(ways, bytes);
  of->in_vain += MESSAGES_PER_WAIT;
  if (of->way == WAY_KERNEL && of->started < of->period && of->in_vain > WAITS_IN_VAIN * MESSAGES_PER_WAIT)
    of->started = of->period;
}
