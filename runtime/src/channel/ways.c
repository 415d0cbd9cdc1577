/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/ways.h"

/* The first messages are not timed: the memory that they are copied to comes from the system. Where the kernel copies
 * they need none, and trials, which may cost many times as much, are put off until a program that sends few large
 * messages is through with them. */
enum { FIRST_WAY_PERIOD = 8, FIRST_KERNEL_PERIOD = 96, LONGEST_WAY_PERIOD = 1 << 13, LONGER_PERIOD = 4 };
/* A period makes up for so many times what the trials before it have cost more than the way that it goes; but at once
 * only up to that length, so that changes are seen, and the first one of a way up to that, since less is known of it;
 * also the first one after the kernel's, since the trials before it met memory that neither side had touched. */
enum { TIMES_THE_LOSS = 32, LONGEST_MADE_UP = 1024, LONGEST_NEW_PERIOD = 128 };
/* Messages of each way that are timed in a period, of which the cheaper half counts. */
enum { WAY_TRIALS = 2 * WAY_NEEDED };
/* Messages of another way before those, until the caches hold what that way leaves in them: so many, or fewer that
 * are so long together, but so many. */
enum { WAY_CHANGE = 8, WAY_CHANGE_BITS = 20, LEAST_WAY_CHANGE = 2 };
/* A way that takes more than half as much again as the best has lost by far; it is left out of the next trial, then of
 * the next 3 and, as long as that goes on, 7. */
enum { MOST_LOST = 3 };
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

/* The cheapest of those that enough was told of, as also of the way that is taken now. `of->way`: of no other. */
static enum way cheapest_way(const struct ways_of_class *of) {
  enum way best = of->way;
  uint32_t now = typical_cost(&of->costs[of->way]), least = now - now / WAY_NOISE;
  for (unsigned way = 0; way < WAYS; way++) {
    if (way == of->way || !told_of(&of->costs[way]))
      continue;
    uint32_t cost = typical_cost(&of->costs[way]);
    if (cost < least) {
      least = cost;
      best = (enum way)way;
    }
  }
  return best;
}

/* How long each way rests, by what the trials have told; what they have not is tried next where another way has become
 * the cheapest. */
static void note_losses(struct ways_of_class *of, uint32_t best, bool changed) {
  for (unsigned way = 0; way < WAYS; way++) {
    bool told = told_of(&of->costs[way]), by_far = told && typical_cost(&of->costs[way]) > best + best / 2;
    if (by_far) {
      of->lost[way] += of->lost[way] < MOST_LOST;
      of->rests[way] = (unsigned char)((1U << of->lost[way]) - 1);
    } else if (told || changed) {
      of->lost[way] = of->rests[way] = 0;
    } else {
      of->rests[way] -= of->rests[way] > 0;
    }
  }
}

/* After trials, or where all others rest. False: of this way, or of all that were tried, not enough was told. */
static bool decide_way(struct ways_of_class *of, unsigned count, unsigned other) {
  bool others = false, rest = true;
  for (unsigned way = 0; way < count; way++)
    if (way != of->way) {
      others = others || told_of(&of->costs[way]);
      rest = rest && of->rests[way];
    }
  if (!told_of(&of->costs[of->way]) || !(others || rest))
    return false;
  enum way best = cheapest_way(of);
  uint32_t cost = typical_cost(&of->costs[best]);
  bool changed = best != of->way;
  bool first = of->period == FIRST_WAY_PERIOD || of->period == FIRST_KERNEL_PERIOD;
  unsigned period = next_period(of, cost, other, changed || first);
  of->way = best;
  of->cost = cost;
  note_losses(of, cost, changed);
  begin_period(of, period);
  return true;
}

/* Whether the way that is taken costs much more or less now than when it was found to be the cheapest: so may others.
 */
static bool costs_have_changed(const struct ways_of_class *of) {
  if (!told_of(&of->costs[of->way]))
    return false;
  uint32_t now = typical_cost(&of->costs[of->way]);
  return now > of->cost + of->cost / 2 || now < of->cost / 2;
}

/* Not what rests. Stores that pass the caches by pay where a line that another core holds is dear, which the kernel's
 * copy meets, too: not where two copies by plain stores have just cost more than that. */
static bool worth_a_trial(const struct ways_of_class *of, enum way way) {
  const struct way_costs *staged = &of->costs[WAY_STAGED], *kernel = &of->costs[WAY_KERNEL];
  if (of->rests[way] && !costs_have_changed(of))
    return false;
  return way != WAY_STREAMED || of->way != WAY_KERNEL || !told_of(staged) || !told_of(kernel) ||
         typical_cost(staged) <= typical_cost(kernel) + typical_cost(kernel) / 4;
}

static void begin_first(struct ways_of_class *of, unsigned count) {
  of->way = count == WAYS ? WAY_KERNEL : WAY_STAGED;
  begin_period(of, count == WAYS ? FIRST_KERNEL_PERIOD : FIRST_WAY_PERIOD);
}

struct choice ways_choose(struct ways *ways, unsigned count, size_t bytes) {
  struct ways_of_class *of = class_of(ways, bytes);
  unsigned other = other_messages(ways, of);
  if (of->period == 0)
    begin_first(of, count);
  unsigned change = of->period + WAY_TRIALS, end = change + (count - 1) * other;
  while (of->started >= change && of->started < end) {
    unsigned at = (of->started - change) % other;
    enum way tried = (enum way)((of->way + 1 + (of->started - change) / other) % count);
    if (at > 0 || worth_a_trial(of, tried)) {
      of->started++;
      of->in_vain -= of->in_vain > 0;
      return (struct choice){tried, at >= other - WAY_TRIALS};
    }
    of->started += other;
  }
  if (of->started >= end && !decide_way(of, count, other) && of->started >= end + WAY_TRIALS)
    begin_period(of, of->period * LONGER_PERIOD); /* some were never told of */
  of->in_vain -= of->in_vain > 0;
  unsigned at = of->started++;
  return (struct choice){of->way, at >= of->period && at < of->period + WAY_TRIALS};
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
