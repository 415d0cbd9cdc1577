/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: accumulates, in windows that are ours. Each holds its target's latch from the first load to the last
 * store, or, of a word while the latch is open, is one atomic instruction that no holder of the latch overlaps: so
 * every one of them is atomic to all others, of whatever size and datatype. In other windows all of them are MPI's:
 * those of MPI libraries hold a lock of their own.
 */
#include "epochs/words.h"
#include "mpishm.h"
#include "next/next.h"
#include "onesided/deferred.h"
#include "onesided/held_words.h"
#include "watch/enter.h"

#include <stdlib.h>

/* ---- With the latch. ---- */

/* What an operation works on: parts of as many bytes. */
struct accumulated {
  struct part remote, origin, result; /* the last two: none where they are not asked for */
  bool has_origin, has_result;
  MPI_Datatype elements; /* of what is combined */
};

/* False: this is not for here. */
static bool find_operand(const struct operand *operand, size_t bytes, struct part *part) {
  struct layout *layout = layout_find(operand->datatype);
  if (!part_is_valid(operand->buffer, operand->count, layout) || (size_t)operand->count * layout->size != bytes)
    return false;
  *part = part_of(operand->buffer, (size_t)operand->count, layout);
  return true;
}

/* The predefined datatype of what an operation combines. False: it is MPI's to do, or to refuse. */
static bool find_elements(const struct accumulate *what, MPI_Datatype *elements) {
  *elements = what->datatype;
  if (what->origin.datatype == what->datatype && elements_can_combine(what->op, what->datatype))
    return true;
  *elements = elements_of(what->datatype);
  return *elements != MPI_DATATYPE_NULL && elements_of(what->origin.datatype) == *elements &&
         elements_can_combine(what->op, *elements);
}

static struct part bytes_part(void *memory, size_t bytes) { return part_of(memory, bytes, layout_find(MPI_BYTE)); }

/* Packed elements, made those of an array and back, where elements have holes. */
static bool combine_with_holes(const struct layout *layout, MPI_Op op, MPI_Datatype elements, void *into,
                               const void *from, size_t bytes) {
  size_t count = bytes / layout->size, room = count * (size_t)layout->extent;
  char *arrays = calloc(2, room);
  if (!arrays)
    return false;
  layout_unpack(layout, arrays, 0, into, bytes);
  layout_unpack(layout, arrays + room, 0, from, bytes);
  elements_combine(op, elements, arrays, arrays + room, count);
  layout_pack(layout, arrays, 0, into, bytes);
  free(arrays);
  return true;
}

/* By a copy of what is there, where the target's elements are not in one piece of memory of this process. False: there
 * is no memory, or the kernel has refused. */
static bool combine_copies(const struct target *target, const struct accumulated *operands, MPI_Op op) {
  const struct layout *layout = layout_find(operands->elements);
  size_t bytes = operands->remote.bytes;
  char *there = malloc(2 * bytes);
  if (!there)
    return false;
  char *mine = there + bytes;
  struct part copy = bytes_part(there, bytes);
  bool done = remote_read(target, &operands->remote, &copy);
  if (done) {
    part_pack(&operands->origin, mine);
    if (operands->has_result)
      part_unpack(&operands->result, there, bytes);
    if (layout->contiguous)
      elements_combine(op, operands->elements, there, mine, bytes / layout->size);
    else
      done = combine_with_holes(layout, op, operands->elements, there, mine, bytes);
    done = done && remote_write(target, &operands->remote, &copy);
  }
  free(there);
  return done;
}

static bool apply(const struct target *target, const struct accumulated *operands, MPI_Op op) {
  if (operands->remote.bytes == 0)
    return true;
  const struct part *remote = &operands->remote, *origin = &operands->origin;
  bool in_place = target->reach == REACH_BY_LOADS && remote->piece && origin->piece;
  if (combines(op) && !in_place)
    return combine_copies(target, operands, op);
  if (operands->has_result && !remote_read(target, remote, &operands->result))
    return false;
  if (op == MPI_REPLACE)
    return remote_write(target, remote, origin);
  if (op != MPI_NO_OP)
    elements_combine(op, operands->elements, remote->piece, origin->piece,
                     remote->bytes / layout_find(operands->elements)->size);
  return true;
}

/* ---- Of one word. ---- */

/* Where an element lies that is a word. NULL: it is not in the target's memory, or none. */
static char *word_at(const struct target *target, MPI_Aint disp, size_t bytes) {
  MPI_Aint at;
  if (__builtin_mul_overflow(disp, target->unit, &at) || at < 0 || target->bytes < bytes ||
      (size_t)at > target->bytes - bytes)
    return NULL;
  char *there = displaced(target->base, at);
  return is_word(there, bytes) ? there : NULL;
}

static bool is_one_element(const struct operand *operand, MPI_Datatype datatype) {
  return operand->buffer && operand->count == 1 && operand->datatype == datatype;
}

static inline const struct reduction *reduction_of(MPI_Op op, MPI_Datatype datatype) {
  if (combines(op))
    return reduction_find(op, datatype);
  const struct reduction *of_numbers = reduction_find(MPI_MAX, datatype);
  return of_numbers ? of_numbers : reduction_find(MPI_LXOR, datatype);
}

static inline struct of_word word_of(const struct target *target, const struct accumulate *what) {
  struct of_word word = {NULL, NULL, reduction_of(what->op, what->datatype)};
  bool fetches = what->result.datatype != MPI_DATATYPE_NULL;
  if (target->reach != REACH_BY_LOADS || !word.reduction || what->count != 1 ||
      (fetches && !is_one_element(&what->result, what->datatype)) ||
      (what->op == MPI_NO_OP ? !fetches : !is_one_element(&what->origin, what->datatype)))
    return word;
  word.result = fetches ? (void *)what->result.buffer : NULL;
  word.there = word_at(target, what->disp, word.reduction->bytes);
  return word;
}

static enum word_change change_by(MPI_Op op) {
  return op == MPI_SUM    ? WORD_ADD
         : op == MPI_BXOR ? WORD_XOR
         : op == MPI_BAND ? WORD_AND
         : op == MPI_BOR  ? WORD_OR
                          : WORD_OTHERWISE;
}

static void combine_atomically(const struct of_word *word, const struct accumulate *what) {
  uint64_t before = 0, after;
  size_t bytes = word->reduction->bytes;
  word_load(word->there, &before, bytes);
  do {
    after = before;
    combine_one(word->reduction, what, &after);
  } while (!word_swap(word->there, &before, &after, bytes));
  if (word->result)
    copy_whole(word->result, &before, bytes);
}

/* The same between word_begin and word_end. */
static inline void change_open(const struct of_word *word, const struct accumulate *what) {
  size_t bytes = word->reduction->bytes;
  enum word_change change = word->reduction->doubtful ? WORD_OTHERWISE : change_by(what->op);
  if (what->op == MPI_NO_OP)
    word_load(word->there, word->result, bytes);
  else if (what->op == MPI_REPLACE)
    word_exchange(word->there, what->origin.buffer, word->result, bytes);
  else if (!word_change(word->there, change, what->origin.buffer, word->result, bytes))
    combine_atomically(word, what);
}

/* ---- Of anything. ---- */

/* With the latch, which is still held where the outcome says so. */
static enum outcome accumulate_held(const struct target *target, const struct accumulate *what) {
  struct accumulated operands = {.has_origin = what->op != MPI_NO_OP,
                                 .has_result = what->result.datatype != MPI_DATATYPE_NULL};
  struct layout *layout = layout_find(what->datatype);
  if (!layout || what->count < 0 || what->disp < 0 ||
      (combines(what->op) && !find_elements(what, &operands.elements)) ||
      (what->op == MPI_NO_OP && !operands.has_result))
    return OUTCOME_IN_LATCH;
  size_t bytes = (size_t)what->count * layout->size;
  if (operands.has_origin && !find_operand(&what->origin, bytes, &operands.origin))
    return OUTCOME_IN_LATCH;
  bool valid = !operands.has_result || find_operand(&what->result, bytes, &operands.result);
  enum outcome outcome = OUTCOME_IN_LATCH;
  if (valid) {
    outcome = find_remote(target, what->disp, what->count, layout, &operands.remote);
    if (outcome == OUTCOME_HERE) {
      outcome = apply(target, &operands, what->op) ? OUTCOME_HERE : OUTCOME_IN_LATCH;
      part_release(&operands.remote);
    }
    if (operands.has_result)
      part_release(&operands.result);
  }
  if (operands.has_origin)
    part_release(&operands.origin);
  return outcome;
}

/* ---- Entered. ---- */

/* The target of an accumulate that is done here; else NULL, and what becomes of it. */
static const struct target *accumulated_target(MPI_Win win, int rank, struct window **window, enum outcome *outcome) {
  *outcome = OUTCOME_BY_MPI;
  *window = window_find(win);
  if (!*window || !(*window)->is_ours)
    return NULL;
  if (UNLIKELY(!is_member(*window, rank))) {
    *outcome = rank == MPI_PROC_NULL ? OUTCOME_HERE : OUTCOME_BY_MPI;
    return NULL;
  }
  const struct target *target = &(*window)->targets[rank];
  if (!is_accessible(*window, target))
    return NULL;
  deferred_finish_for(*window, rank);
  return target;
}

/* Returns what the latch was before. */
uint32_t take_latch(struct window *window, const struct target *target) {
  struct waiter waiter = {0};
  uint32_t before;
  while (!latch_take(&window->epochs.members[target->place], &before))
    window_pause(&waiter, window, target->place);
  for (int place = 0; before & LATCH_OPEN && place < window->local_count; place++)
    while (!word_is_over(&window->epochs, (unsigned)target->place, (unsigned)place))
      window_pause(&waiter, window, place);
  return before;
}

/* Where MPI is to do it, the latch is still held. */
static enum outcome end_with_latch(struct window *window, const struct target *target, enum outcome outcome) {
  if (outcome != OUTCOME_IN_LATCH)
    latch_give_back(&window->epochs.members[target->place]);
  return outcome;
}

/* As the target's only word, or one of several: begin_words says how, for the changes, and for end_words. */
static inline bool begin_words(struct window *window, const struct target *target, uint32_t *before) {
  if (word_begin(&window->epochs, (unsigned)target->place))
    return true;
  *before = take_latch(window, target);
  return false;
}
static inline void change_word(bool is_open, const struct of_word *word, const struct accumulate *what) {
  is_open ? change_open(word, what) : change_held(word, what);
}
static inline void end_words(struct window *window, const struct target *target, bool is_open, uint32_t before) {
  if (is_open)
    word_end(&window->epochs);
  else
    latch_give_back_word(&window->epochs, (unsigned)target->place, before);
}

static enum outcome accumulate(const struct accumulate *what, MPI_Win win) {
  struct window *window;
  enum outcome outcome;
  uint32_t before = 0;
  const struct target *target = accumulated_target(win, what->rank, &window, &outcome);
  if (!target)
    return outcome;
  struct of_word word = word_of(target, what);
  if (!word.there) {
    take_latch(window, target);
    return end_with_latch(window, target, accumulate_held(target, what));
  }
  bool is_open = begin_words(window, target, &before);
  change_word(is_open, &word, what);
  end_words(window, target, is_open, before);
  return OUTCOME_HERE;
}

/* ---- Words that are kept. ---- */

/* Of one target's, from the first that is not done. */
static void finish_words_of_target(struct window *window, struct kept_word *first, const struct kept_word *end) {
  uint32_t before = 0;
  int rank = first->rank;
  const struct target *target = &window->targets[rank];
  if (UNLIKELY(target->reach == REACH_BY_KERNEL)) {
    words_change_by_kernel(window, first, end);
    return;
  }
  bool is_open = begin_words(window, target, &before);
  for (struct kept_word *kept = first; kept < end; kept++) {
    if (kept->rank != rank)
      continue;
    struct accumulate what = {
        .origin = {&kept->operand, 1, kept->datatype}, .datatype = kept->datatype, .op = kept->op};
    ASSUME(what.op != MPI_NO_OP); /* without a result nothing is kept of it */
    struct of_word word = {kept->there, NULL, kept->reduction};
    change_word(is_open, &word, &what);
    kept->rank = -1;
  }
  end_words(window, target, is_open, before);
}

void kept_words_do(struct window *window) {
  struct kept_word *words = window->kept.words, *end = words + window->kept.count;
  for (struct kept_word *kept = words; kept < end; kept++)
    if (kept->rank >= 0)
      finish_words_of_target(window, kept, end);
  window->kept.count = 0;
}

/* False: it is for `accumulate`. With threads one would have to wait for what another has kept. */
static inline bool keep_word(const struct operand *origin, int rank, MPI_Aint disp, MPI_Count count,
                             MPI_Datatype datatype, MPI_Op op, MPI_Win win) {
  struct window *window = window_find(win);
  if (!window || !window->is_ours || mpishm.threaded || !is_member(window, rank) || count != 1 || op == MPI_NO_OP ||
      !is_one_element(origin, datatype))
    return false;
  const struct target *target = &window->targets[rank];
  const struct reduction *reduction = is_accessible(window, target) ? reduction_of(op, datatype) : NULL;
  char *there = reduction ? word_at(target, disp, reduction->bytes) : NULL;
  if (!there)
    return false;
  if (target->reach == REACH_BY_LOADS)
    word_is_next(there);
  else
    deferred_finish_for_rank(window, rank);
  if (window->kept.count == KEPT_WORDS)
    kept_words_do(window);
  struct kept_word *kept = &window->kept.words[window->kept.count++];
  *kept = (struct kept_word){there, 0, reduction, op, datatype, rank};
  copy_whole(&kept->operand, origin->buffer, reduction->bytes);
  return true;
}

/* Whether MPI_Compare_and_swap takes them, of what C has: integers, bytes, logical values. */
static bool can_swap(MPI_Datatype datatype) {
  return elements_can_combine(MPI_BXOR, datatype) || elements_can_combine(MPI_LXOR, datatype);
}

struct swap {
  const void *origin, *compare;
  void *result;
  MPI_Datatype datatype;
  MPI_Aint disp;
};

static void swap_in_place(char *there, const struct swap *what, size_t bytes) {
  uint64_t found = 0, compared = 0;
  copy_whole(&found, there, bytes);
  copy_whole(&compared, what->compare, bytes);
  if (found == compared)
    copy_whole(there, what->origin, bytes);
  copy_whole(what->result, &found, bytes);
}

static void swap_atomically(char *there, const struct swap *what, size_t bytes) {
  uint64_t found = 0;
  copy_whole(&found, what->compare, bytes);
  word_swap(there, &found, what->origin, bytes);
  copy_whole(what->result, &found, bytes);
}

/* False: the kernel has refused. */
static bool swap_by_copies(const struct target *target, const struct part *remote, const struct swap *what) {
  uint64_t found = 0;
  struct part copy = part_of(&found, 1, remote->layout), origin = part_of(what->origin, 1, remote->layout);
  bool done = remote_read(target, remote, &copy);
  if (done && memcmp(&found, what->compare, remote->bytes) == 0)
    done = remote_write(target, remote, &origin);
  if (done)
    copy_whole(what->result, &found, remote->bytes);
  return done;
}

/* Its layout; NULL: it is MPI's to do, or to refuse. */
static struct layout *swapped_layout(const struct swap *what) {
  struct layout *layout = can_swap(what->datatype) ? layout_find(what->datatype) : NULL;
  bool valid =
      layout && layout->size <= sizeof(uint64_t) && what->disp >= 0 && what->origin && what->compare && what->result;
  return valid ? layout : NULL;
}

/* With the latch, which is still held where the outcome says so; of what is no word. */
static enum outcome swap_held(const struct target *target, struct layout *layout, const struct swap *what) {
  struct part remote;
  if (!layout)
    return OUTCOME_IN_LATCH;
  enum outcome outcome = find_remote(target, what->disp, 1, layout, &remote);
  return outcome == OUTCOME_HERE && !swap_by_copies(target, &remote, what) ? OUTCOME_IN_LATCH : outcome;
}

static enum outcome compare_and_swap(const struct swap *what, int rank, MPI_Win win) {
  struct window *window;
  enum outcome outcome;
  const struct target *target = accumulated_target(win, rank, &window, &outcome);
  if (!target)
    return outcome;
  struct layout *layout = swapped_layout(what);
  char *there = layout && target->reach == REACH_BY_LOADS ? word_at(target, what->disp, layout->size) : NULL;
  if (there && word_begin(&window->epochs, (unsigned)target->place)) {
    swap_atomically(there, what, layout->size);
    word_end(&window->epochs);
    return OUTCOME_HERE;
  }
  uint32_t before = take_latch(window, target);
  if (!there)
    return end_with_latch(window, target, swap_held(target, layout, what));
  swap_in_place(there, what, layout->size);
  latch_give_back_word(&window->epochs, (unsigned)target->place, before);
  return OUTCOME_HERE;
}

/* ---- Entry points. ---- */

static const struct operand no_operand = {NULL, 0, MPI_DATATYPE_NULL};

static NOINLINE enum outcome accumulate_now(const struct operand *origin, int rank, MPI_Aint disp, MPI_Count count,
                                            MPI_Datatype datatype, MPI_Op op, MPI_Win win) {
  struct accumulate what = {*origin, no_operand, rank, disp, count, datatype, op};
  return accumulate(&what, win);
}
static inline enum outcome accumulate_later(const struct operand *origin, int rank, MPI_Aint disp, MPI_Count count,
                                            MPI_Datatype datatype, MPI_Op op, MPI_Win win) {
  return keep_word(origin, rank, disp, count, datatype, op, win)
             ? OUTCOME_HERE
             : accumulate_now(origin, rank, disp, count, datatype, op, win);
}

#define COUNTED "onesided/accumulates_calls.h"
#include "point_to_point/counted.h"

int MPISHM_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                        MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  struct accumulate what = {
      {origin_addr, 1, datatype}, {result_addr, 1, datatype}, target_rank, target_disp, 1, datatype, op};
  OPERATE(CALL_FETCH_AND_OP, accumulate(&what, win),
          mpi_first.Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win));
  return error;
}

int MPISHM_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
                            int target_rank, MPI_Aint target_disp, MPI_Win win) {
  struct swap what = {origin_addr, compare_addr, result_addr, datatype, target_disp};
  OPERATE(CALL_COMPARE_AND_SWAP, compare_and_swap(&what, target_rank, win),
          mpi_first.Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win));
  return error;
}
