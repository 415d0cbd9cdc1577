/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/ways.h"

/* The first messages are not timed: the memory that they are copied to comes from the system. */
enum { FIRST_WAY_PERIOD = 8, LONGEST_WAY_PERIOD = 1 << 13, LONGER_PERIOD = 4 };
/* A period makes up for so many times what the trials before it have cost more than the way that it goes; but at once
 * only up to that length, so that changes are seen, and the first one of a way up to that, since less is known of it.
 */
enum { TIMES_THE_LOSS = 32, LONGEST_MADE_UP = 1024, LONGEST_NEW_PERIOD = 128 };
/* Messages of each way that are timed in a period, of which the cheaper half counts. */
enum { WAY_TRIALS = 2 * WAY_NEEDED };
/* Messages of another way before those, until the caches hold what that way leaves in them: so many, or fewer that
 * are so long together, but so many. */
enum { WAY_CHANGE = 8, WAY_CHANGE_BITS = 20, LEAST_WAY_CHANGE = 2 };
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

/* Messages of each trial of another way. */
static unsigned other_messages(const struct ways *ways, const struct ways_of_class *of) {
  unsigned change = 1U << (WAY_CHANGE_BITS - LEAST_WAY_BITS) >> (of - ways->classes);
  change = change < LEAST_WAY_CHANGE ? LEAST_WAY_CHANGE : change;
  return (change < WAY_CHANGE ? change : WAY_CHANGE) + WAY_TRIALS;
}

static bool told_of(const struct way_costs *costs) { return costs->count >= WAY_NEEDED; }

static uint32_t typical_cost(const struct way_costs *costs) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < WAY_NEEDED; i++)
    sum += costs->least[i];
  return sum / WAY_NEEDED;
}

static void begin_period(struct ways_of_class *of, unsigned period) {
  of->period = period < LONGEST_WAY_PERIOD ? period : LONGEST_WAY_PERIOD;
  of->started = of->in_vain = 0;
  for (unsigned way = 0; way < WAYS; way++)
    of->costs[way] = (struct way_costs){{0}, 0};
}

/* After trials of so many messages each, one of which costs `best` on the way that is taken from now on. */
static unsigned next_period(const struct ways_of_class *of, uint32_t best, unsigned other, bool new) {
  uint64_t loss = 0, longest = new ? LONGEST_NEW_PERIOD : LONGEST_MADE_UP;
  for (unsigned way = 0; way < WAYS; way++)
    if (told_of(&of->costs[way]) && typical_cost(&of->costs[way]) > best)
      loss += (uint64_t)other * (typical_cost(&of->costs[way]) - best);
  uint64_t period = loss * TIMES_THE_LOSS / (best + 1), least = new ? 2 * FIRST_WAY_PERIOD : of->period *LONGER_PERIOD;
  period = period < longest ? period : longest;
  return (unsigned)(period > least ? period : least);
}

/* The cheapest of those that enough was told of. False: of this way there was not, or of no other. */
static bool decide_way(struct ways_of_class *of, unsigned other) {
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
  if (!others)
    return false;
  bool new = best != of->way || of->period == FIRST_WAY_PERIOD;
  of->way = best;
  begin_period(of, next_period(of, typical_cost(&of->costs[best]), other, new));
  return true;
}

struct choice ways_choose(struct ways *ways, unsigned count, size_t bytes) {
  struct ways_of_class *of = class_of(ways, bytes);
  unsigned other = other_messages(ways, of);
  if (of->period == 0)
    begin_period(of, FIRST_WAY_PERIOD);
  unsigned end = of->period + WAY_TRIALS + (count - 1) * other;
  if (of->started >= end && !decide_way(of, other) && of->started >= end + WAY_TRIALS)
    begin_period(of, of->period * LONGER_PERIOD); /* some were never told of */
  if (of->in_vain)
    of->in_vain--;
  unsigned change = of->period + WAY_TRIALS, at = of->started++;
  if (at < change || at >= change + (count - 1) * other)
    return (struct choice){of->way, at >= of->period && at < change};
  unsigned tried = (at - change) / other;
  return (struct choice){(enum way)((of->way + 1 + tried) % count), (at - change) % other >= other - WAY_TRIALS};
}

void ways_learn(struct ways *ways, size_t bytes, enum way way, uint64_t nanoseconds) {
  struct way_costs *costs = &class_of(ways, bytes)->costs[way];
  uint64_t exact = nanoseconds * 1000 / (bytes ? bytes : 1);
  uint32_t cost = exact < HIGHEST_COST ? (uint32_t)exact : HIGHEST_COST;
  unsigned most = costs->count < WAY_NEEDED ? costs->count : 0;
  for (unsigned i = 1; i < WAY_NEEDED && told_of(costs); i++)
    most = costs->least[i] > costs->least[most] ? i : most;
  if (costs->count++ < WAY_NEEDED || cost < costs->least[most])
    costs->least[most] = cost;
}

void ways_waited_in_vain(struct ways *ways, size_t bytes) {
  struct ways_of_class *of = class_of(ways, bytes);
  of->in_vain += MESSAGES_PER_WAIT;
  if (of->way == WAY_KERNEL && of->started < of->period && of->in_vain > WAITS_IN_VAIN * MESSAGES_PER_WAIT)
    of->started = of->period;
}
