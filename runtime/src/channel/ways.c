/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/ways.h"

/* The first messages are not timed: the memory that they are copied to comes from the system. */
enum { FIRST_WAY_PERIOD = 8, LONGEST_WAY_PERIOD = 1 << 13, LONGER_PERIOD = 4 };
/* Messages of each way that are timed in a period, and how many of them must have been told of to decide. */
enum { WAY_TRIALS = 8, WAY_NEEDED = WAY_TRIALS / 2 };
/* Messages of the other way before those, until the caches hold what that way leaves in them. */
enum { WAY_CHANGE = 8 };
/* Picoseconds per byte: a few times as many as there are trials do not overflow. */
enum { HIGHEST_COST = 1 << 24 };
/* The other way must cost less than 15/16, so that noise does not change it. */
enum { WAY_NOISE = 16 };
/* More than one wait in vain in so many messages ends a period, once that has made up for so many waits. */
enum { MESSAGES_PER_WAIT = 4, WAITS_IN_VAIN = 8 };
/* The least class: of less than 16 KiB. */
enum { LEAST_WAY_BITS = 14 };

static struct ways_of_class *class_of(struct ways *ways, size_t bytes) {
  unsigned index = 0;
  for (size_t rest = bytes >> LEAST_WAY_BITS; rest && index < WAYS_CLASSES - 1; rest >>= 1)
    index++;
  return &ways->classes[index];
}

/* Without the one that took longest: the rank may have lost its core meanwhile. */
static uint32_t typical_cost(const struct way_costs *costs) { return (costs->sum - costs->most) / (costs->count - 1); }

static bool told_of(const struct ways_of_class *of) {
  return of->costs[WAY_STAGED].count >= WAY_NEEDED && of->costs[WAY_KERNEL].count >= WAY_NEEDED;
}

static void begin_period(struct ways_of_class *of, unsigned period) {
  of->period = period < LONGEST_WAY_PERIOD ? period : LONGEST_WAY_PERIOD;
  of->started = of->in_vain = 0;
  of->costs[WAY_STAGED] = of->costs[WAY_KERNEL] = (struct way_costs){0, 0, 0};
}

static enum way other_way(enum way way) { return way == WAY_STAGED ? WAY_KERNEL : WAY_STAGED; }

static void decide_way(struct ways_of_class *of) {
  uint32_t now = typical_cost(&of->costs[of->way]), then = typical_cost(&of->costs[other_way(of->way)]);
  bool change = then < now - now / WAY_NOISE;
  if (change)
    of->way = other_way(of->way);
  begin_period(of, change ? 2 * FIRST_WAY_PERIOD : of->period * LONGER_PERIOD);
}

static unsigned trials_end(const struct ways_of_class *of) { return of->period + 2 * WAY_TRIALS + WAY_CHANGE; }

struct choice ways_choose(struct ways *ways, size_t bytes) {
  struct ways_of_class *of = class_of(ways, bytes);
  if (of->period == 0)
    begin_period(of, FIRST_WAY_PERIOD);
  if (of->started >= trials_end(of) && told_of(of))
    decide_way(of);
  else if (of->started >= trials_end(of) + WAY_TRIALS)
    begin_period(of, of->period * LONGER_PERIOD); /* some were never told of */
  if (of->in_vain)
    of->in_vain--;
  unsigned change = of->period + WAY_TRIALS, end = trials_end(of), at = of->started++;
  if (at < change || at >= end)
    return (struct choice){of->way, at >= of->period && at < change};
  return (struct choice){other_way(of->way), at >= change + WAY_CHANGE};
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
