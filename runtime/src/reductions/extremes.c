/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reductions/extremes.h"

#include <string.h>

/* ---- Elements, as bits. ---- */

enum { WIDEST = sizeof(uint64_t) };

static uint64_t bits_at(const unsigned char *at, size_t bytes) {
  uint32_t narrow;
  uint64_t bits;
  if (bytes == sizeof bits) {
    memcpy(&bits, at, sizeof bits);
    return bits;
  }
  memcpy(&narrow, at, sizeof narrow);
  return narrow;
}

static bool is_negative(uint64_t bits, size_t bytes) { return bits >> (8 * bytes - 1); }
static uint64_t size_of(uint64_t bits, size_t bytes) { return bits & ~(UINT64_C(1) << (8 * bytes - 1)); }
static bool is_no_number(uint64_t bits, size_t bytes) {
  return size_of(bits, bytes) > (bytes == sizeof bits ? UINT64_C(0x7ff) << 52 : UINT64_C(0xff) << 23);
}

/* Cases in which comparison does not tell which of two is the greater one. */
enum { THEIRS_NEGATIVE, MINE_NEGATIVE, THEIRS_NONE, MINE_NONE, BOTH_NONE, CASES, TOLD = CASES };

static unsigned case_of(uint64_t theirs, uint64_t mine, size_t bytes) {
  const bool of_theirs = is_no_number(theirs, bytes), of_mine = is_no_number(mine, bytes);
  if (of_theirs || of_mine)
    return of_theirs && of_mine ? BOTH_NONE : of_theirs ? THEIRS_NONE : MINE_NONE;
  if (size_of(theirs, bytes) != 0 || size_of(mine, bytes) != 0 || theirs == mine)
    return TOLD;
  return is_negative(theirs, bytes) ? THEIRS_NEGATIVE : MINE_NEGATIVE;
}

void extreme_choose(const struct extreme_choices *choices, bool in_place, const struct reduction *reduction,
                    size_t first, unsigned char *into, const unsigned char *theirs, const unsigned char *mine,
                    size_t count) {
  const size_t bytes = reduction->bytes;
  unsigned run = 0;
  for (size_t i = 0, at = 0; i < count; i++, at += bytes) {
    while (first + i >= choices->run[run].until)
      run++;
    unsigned which = case_of(bits_at(theirs + at, bytes), bits_at(mine + at, bytes), bytes);
    if (which != TOLD)
      memcpy(into + at, (choices->run[run].theirs[in_place] >> which & 1 ? theirs : mine) + at, bytes);
  }
}

/* ---- What the library chooses. ---- */

/* Pairs of operands, as the bits of a double: what has another sign, and what says that it is none in another way,
 * quiet or not, with numbers of all kinds. */
#define ZERO UINT64_C(0)
#define ONE UINT64_C(0x3ff0000000000000)
#define INFINITE UINT64_C(0x7ff0000000000000)
#define NONE UINT64_C(0x7ff8000000000000)
#define MARKED UINT64_C(0x7ff8000020000000) /* what is set here is there in a float, too */
#define LOUD UINT64_C(0x7ff4000000000000)
#define NEGATIVE UINT64_C(0x8000000000000000)
static const uint64_t operand_pairs[][2] = {
    {ZERO, NEGATIVE | ZERO},
    {NEGATIVE | ZERO, ZERO},
    {NONE, ONE},
    {ONE, NONE},
    {NEGATIVE | MARKED, ONE},
    {ONE, NEGATIVE | MARKED},
    {MARKED, NEGATIVE | INFINITE},
    {NEGATIVE | INFINITE, MARKED},
    {LOUD, NEGATIVE | ONE},
    {NEGATIVE | ONE, LOUD},
    {NEGATIVE | NONE, INFINITE},
    {INFINITE, NEGATIVE | LOUD},
    {NONE, NEGATIVE | MARKED},
    {NEGATIVE | MARKED, NONE},
    {LOUD, MARKED},
    {NEGATIVE | NONE, LOUD},
    {NEGATIVE | ZERO, NONE},
    {MARKED, NEGATIVE | ZERO},
    {ONE, INFINITE},
    {ZERO, NEGATIVE | ONE},
};
enum {
  PAIRS = sizeof operand_pairs / sizeof *operand_pairs,
  FORMS = 2 /* in place, and not */,
  TRIALS_OF_PAIRS = FORMS * PAIRS
};
/* Compilers' vectors are no longer than that. Where a buffer lies in one must not matter. */
enum { VECTOR = 64 };

/* The same number of fewer bytes has the same sign and exponent, but for zeros and what is none, of more. */
static void put_bits(unsigned char *at, size_t bytes, uint64_t bits) {
  uint32_t narrow = (uint32_t)(bits >> 32 & 0x80000000);
  if (size_of(bits, sizeof bits) >= INFINITE)
    narrow |= (uint32_t)0xff << 23;
  else if (size_of(bits, sizeof bits) != 0)
    narrow |= (uint32_t)0x7f << 23;
  if (is_no_number(bits, sizeof bits))
    narrow |= (uint32_t)(bits >> 29) & 0x7fffff;
  if (bytes == sizeof bits)
    memcpy(at, &bits, sizeof bits);
  else
    memcpy(at, &narrow, sizeof narrow);
}

/* The i-th operands of a trial: so each element is in each pair once in each form. */
static void put_pair(unsigned char values[2][WIDEST], size_t bytes, unsigned trial, size_t i) {
  const uint64_t *pair = operand_pairs[(i + trial) % PAIRS];
  put_bits(values[0], bytes, pair[0]);
  put_bits(values[1], bytes, pair[1]);
}

/* What is left that the choices for an element may be, a bit for each case: not in place, and in place. */
struct left {
  uint8_t theirs[FORMS], mine[FORMS];
};
enum { ANY_CASE = (1 << CASES) - 1 };

static void narrow_down(struct question *q, unsigned trial, bool in_place, struct left *left) {
  const struct reduction *reduction = q->kind->reduction;
  const size_t bytes = reduction->bytes;
  unsigned char values[2][WIDEST], told[WIDEST];
  for (size_t i = 0; i < q->kind->count; i++) {
    put_pair(values, bytes, trial, i);
    const unsigned char *mine = values[q->communicator->rank], *theirs = values[1 - q->communicator->rank];
    const unsigned char *result = q->result + i * bytes;
    unsigned which = case_of(bits_at(theirs, bytes), bits_at(mine, bytes), bytes);
    memcpy(told, theirs, bytes);
    if (which == TOLD) {
      q->ok &= !reduction->combine(told, mine, 1) && memcmp(result, told, bytes) == 0;
      continue;
    }
    if (memcmp(result, theirs, bytes) != 0)
      left[i].theirs[in_place] &= (uint8_t)~(1U << which);
    if (memcmp(result, mine, bytes) != 0)
      left[i].mine[in_place] &= (uint8_t)~(1U << which);
  }
}

/* Both at a time; false: there are cases in which nothing is. */
static bool both_left(struct left *left, const struct left *other) {
  bool is_any = true;
  for (int form = 0; form < FORMS; form++) {
    left->theirs[form] &= other->theirs[form];
    left->mine[form] &= other->mine[form];
    is_any &= (left->theirs[form] | left->mine[form]) == ANY_CASE;
  }
  return is_any;
}

/* False: elements are too many that differ, or there are such of which the library makes neither operand. */
static bool find_runs(struct extreme_choices *choices, const struct left *left, size_t count) {
  enum { MOST_RUNS = sizeof choices->run / sizeof *choices->run };
  struct left run = left[0];
  *choices = (struct extreme_choices){0};
  for (size_t i = 0; i < count; i++) {
    if (!both_left(&run, &left[i])) {
      run = left[i];
      if (!both_left(&run, &left[i]) || i == 0 || ++choices->runs == MOST_RUNS)
        return false;
    }
    choices->run[choices->runs].until = i + 1;
    for (int form = 0; form < FORMS; form++)
      choices->run[choices->runs].theirs[form] = run.theirs[form];
  }
  choices->runs++;
  return true;
}

static void look_into_extremes(const struct communicator *communicator, struct kind *kind, MPI_Datatype datatype,
                               MPI_Op op) {
  const size_t bytes = kind->reduction->bytes, room = kind->count * bytes + VECTOR;
  _Alignas(VECTOR) unsigned char given[room];
  _Alignas(VECTOR) unsigned char result[room];
  unsigned char values[2][WIDEST];
  struct left left[kind->count];
  struct question q = {communicator, kind, datatype, op, NULL, NULL, true};
  memset(left, ANY_CASE, sizeof left);
  for (unsigned trial = 0; trial < TRIALS_OF_PAIRS; trial++) {
    const bool in_place = trial >= PAIRS && can_ask_in_place(&q);
    q.given = given + trial * bytes % VECTOR;
    q.result = result + ((size_t)trial * 3 + trial / (VECTOR / bytes)) * bytes % VECTOR;
    for (size_t i = 0; i < kind->count; i++) {
      put_pair(values, bytes, trial, i);
      memcpy(q.given + i * bytes, values[communicator->rank], bytes);
    }
    ask(&q, in_place);
    if (has_result(&q))
      narrow_down(&q, trial, in_place, left);
  }
  for (size_t i = 0; i < kind->count && !can_ask_in_place(&q); i++) {
    left[i].theirs[true] = left[i].theirs[false];
    left[i].mine[true] = left[i].mine[false];
  }
  bool found = find_runs(&kind->choices, left, kind->count);
  kind->state = all_found(&q, found && q.ok, 1) ? KIND_FOUND : KIND_UNKNOWN;
}

const struct extreme_choices *extreme_choices_of(struct communicator *communicator, const struct reduction *reduction,
                                                 MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root) {
  struct kind *kind = kind_find(communicator, reduction, count, root);
  if (!kind)
    return NULL;
  if (UNLIKELY(kind->state == KIND_UNDECIDED)) {
    if (kind->calls++ < TRIALS_OF_PAIRS)
      return NULL;
    look_into_extremes(communicator, kind, datatype, op);
  }
  return kind->state == KIND_FOUND ? &kind->choices : NULL;
}
