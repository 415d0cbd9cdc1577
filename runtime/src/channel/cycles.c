/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/cycles.h"

/* A program that sends few messages is through with them before any trial. Trials become rarer up to a limit, which is
 * higher where the other way has lost by far. */
enum { FIRST_CYCLES = 96, NEW_CYCLES = 128, LONG_CYCLES = 1 << 10, LONGEST_CYCLES = 1 << 13, LONGER_CYCLES = 4 };
/* Messages of a run: until the caches hold what this way leaves in them, and those that are timed. */
enum { RUN_CHANGE = 4, RUN_TIMED = 8, RUN_MESSAGES = RUN_CHANGE + RUN_TIMED };
/* What is copied first for the first time ever meets memory that neither side has touched, and little of it: turns grow
 * with their use. So many bytes are not timed then, unless they have been copied first from the start; nor are so many
 * messages, which find out how they are copied best (ways.h). */
enum { FIRST_COPIED = 4 << 20, FIRST_MESSAGES = 32 };
/* Runs of a trial, the other way first. After the first ones of both it ends where the other has lost by far. */
enum { TRIAL_RUNS = 8, FIRST_TRIAL_RUNS = 4 };
/* The other way must take less than 7/8 of the time, so that noise changes nothing; and has lost with 5/4 of it. */
enum { CYCLE_GAIN = 8, CYCLE_LOSS = 4 };

/* The longest messages of a class. */
static size_t longest_of(unsigned index) { return (size_t)2 * CYCLES_LEAST << index; }

static unsigned cycle_class(size_t bytes) {
  unsigned index = 0;
  while (longest_of(index) < bytes && index < CYCLES_CLASSES - 1)
    index++;
  return index;
}

static void begin_cycles(struct cycles_of_class *of, unsigned period) {
  of->period = period;
  of->started = 0;
  for (unsigned way = 0; way < 2; way++)
    for (unsigned i = 0; i < CYCLES_KEPT; i++)
      of->least[way][i] = UINT64_MAX / CYCLE_LOSS / 2 / CYCLES_KEPT;
}

static void keep_least(uint64_t least[CYCLES_KEPT], uint64_t time) {
  unsigned most = 0;
  for (unsigned i = 1; i < CYCLES_KEPT; i++)
    most = least[i] > least[most] ? i : most;
  if (time < least[most])
    least[most] = time;
}

static uint64_t cycle_time(const struct cycles_of_class *of, bool copied) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < CYCLES_KEPT; i++)
    sum += of->least[copied][i];
  return sum;
}

static unsigned capped(unsigned period, unsigned longest) { return period < longest ? period : longest; }

/* After so many runs. True: the trial is over. */
static bool decide_cycles(struct cycles_of_class *of, unsigned runs) {
  uint64_t now = cycle_time(of, of->copied), other = cycle_time(of, !of->copied);
  if (runs == FIRST_TRIAL_RUNS && other > now + now / CYCLE_LOSS) {
    begin_cycles(of, capped(of->period * LONGER_CYCLES, LONGEST_CYCLES));
  } else if (runs == TRIAL_RUNS && other < now - now / CYCLE_GAIN) {
    of->copied = !of->copied;
    begin_cycles(of, NEW_CYCLES);
  } else if (runs == TRIAL_RUNS) {
    begin_cycles(of, capped(of->period * LONGER_CYCLES, LONG_CYCLES));
  } else {
    return false;
  }
  return true;
}

/* The message that is the `at`-th one of a trial, whose first run has so many `more`. */
static bool in_trial(struct cycles_of_class *of, unsigned at, unsigned more, uint64_t (*clock)(void)) {
  at = at > more ? at - more : 0;
  unsigned run = at / RUN_MESSAGES;
  bool other = run % 2 == 0;
  if (at % RUN_MESSAGES == 0 && run > 0) {
    keep_least(of->least[other ? of->copied : !of->copied], clock() - of->since);
    if (decide_cycles(of, run)) {
      of->started = 1;
      return of->copied;
    }
  } else if (at % RUN_MESSAGES == RUN_CHANGE) {
    of->since = clock();
  }
  return other ? !of->copied : of->copied;
}

bool cycles_copied(struct cycles *cycles, size_t bytes, uint64_t (*clock)(void)) {
  if (bytes <= CYCLES_LEAST || bytes > CYCLES_MOST)
    return false;
  unsigned index = cycle_class(bytes);
  struct cycles_of_class *of = &cycles->classes[index];
  if (of->period == 0) {
    begin_cycles(of, FIRST_CYCLES);
    of->copied = bytes <= CYCLES_SHORT;
  }
  unsigned at = of->started++, more = 0;
  if (of->period == FIRST_CYCLES && bytes > CYCLES_SHORT) {
    more = (unsigned)(FIRST_COPIED / longest_of(index));
    more = more < FIRST_MESSAGES ? FIRST_MESSAGES : more;
  }
  return at < of->period ? of->copied : in_trial(of, at - of->period, more, clock);
}
