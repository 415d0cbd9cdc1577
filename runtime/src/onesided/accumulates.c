/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: accumulates, in windows that are ours. Each holds its target's latch from the first load to the last
 * store, or, of a word while the latch is open, is one atomic instruction that no holder of the latch overlaps: so
 * every one of them is atomic to all others, of whatever size and datatype. In other windows all of them are MPI's:
 * those of MPI libraries hold a lock of their own.
 */
#include "mpishm.h"
#include "next/next.h"
#include "onesided/open_words.h"
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

static bool is_one_element(const struct operand *operand, MPI_Datatype datatype) {
  return operand->buffer && operand->count == 1 && operand->datatype == datatype;
}

/* What was asked for last: the reduction is NULL where there is none. */
static struct {
  MPI_Op op;
  const struct reduction *reduction;
  MPI_Datatype datatype;
} last_of_words;

/* NULL: elements of that datatype are no words, or not for that operation. */
static inline const struct reduction *reduction_of(MPI_Op op, MPI_Datatype datatype) {
  const struct reduction *reduction = reduction_find(combines(op) ? op : MPI_MAX, datatype);
  if (!reduction && !combines(op))
    reduction = reduction_find(MPI_LXOR, datatype);
  last_of_words.op = op;
  last_of_words.datatype = datatype;
  last_of_words.reduction = reduction;
  return reduction;
}
/* The same where it was asked for last, and `window` is one; else NULL. Without a window nothing is looked at: other
 * threads may be writing it, with the mutex (window_at_once). */
static inline const struct reduction *reduction_at_once(const struct window *window, MPI_Op op, MPI_Datatype datatype) {
  return window && op == last_of_words.op && datatype == last_of_words.datatype ? last_of_words.reduction : NULL;
}

static inline struct of_word word_of(const struct target *target, const struct accumulate *what) {
  struct of_word word = {.operand = what->origin.buffer,
                         .reduction = reduction_of(what->op, what->datatype),
                         .op = what->op,
                         .datatype = what->datatype};
  bool fetches = what->result.datatype != MPI_DATATYPE_NULL;
  if (target->reach != REACH_BY_LOADS || !word.reduction || what->count != 1 ||
      (fetches && !is_one_element(&what->result, what->datatype)) ||
      (what->op == MPI_NO_OP ? !fetches : !is_one_element(&what->origin, what->datatype)))
    return word;
  word.result = fetches ? (void *)what->result.buffer : NULL;
  word.there = word_at(target, what->disp, word.reduction->bytes);
  return word;
}

static inline enum word_change change_by(MPI_Op op) {
  return op == MPI_SUM    ? WORD_ADD
         : op == MPI_BXOR ? WORD_XOR
         : op == MPI_BAND ? WORD_AND
         : op == MPI_BOR  ? WORD_OR
                          : WORD_OTHERWISE;
}

static void combine_atomically(const struct of_word *word) {
  uint64_t before = 0, after;
  size_t bytes = word->reduction->bytes;
  word_load(word->there, &before, bytes);
  do {
    after = before;
    combine_one(word, &after);
  } while (!word_swap(word->there, &before, &after, bytes));
  if (word->result)
    copy_whole(word->result, &before, bytes);
}

/* The same between word_begin and word_end. */
static inline void change_open(const struct of_word *word) {
  size_t bytes = word->reduction->bytes;
  enum word_change change = word->reduction->doubtful ? WORD_OTHERWISE : change_by(word->op);
  if (word->op == MPI_NO_OP)
    word_load(word->there, word->result, bytes);
  else if (word->op == MPI_REPLACE)
    word_exchange(word->there, word->operand, word->result, bytes);
  else if (!word_change(word->there, change, word->operand, word->result, bytes))
    combine_atomically(word);
}

static inline void change_word(bool is_open, const struct of_word *word) {
  is_open ? change_open(word) : change_held(word);
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

const struct target *accumulated_target(MPI_Win win, int rank, struct window **window, enum outcome *outcome) {
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

void wait_for_words(struct window *window, const struct target *target) {
  struct waiter waiter = {0};
  for (int place = 0; place < window->local_count; place++)
    while (!word_is_over(&window->epochs, (unsigned)target->place, (unsigned)place))
      window_pause(&waiter, window, place);
}

uint32_t take_latch(struct window *window, const struct target *target) {
  struct waiter waiter = {0};
  uint32_t before;
  while (!latch_take(&window->epochs.members[target->place], &before))
    window_pause(&waiter, window, target->place);
  if (before & LATCH_OPEN)
    wait_for_words(window, target);
  return before;
}

/* Where nothing is kept. */
static inline void change_now(struct window *window, const struct target *target, const struct of_word *word) {
  uint32_t before = 0;
  bool is_open = begin_words(window, target, &before);
  change_word(is_open, word);
  end_words(window, target, is_open, before);
}

static enum outcome accumulate(const struct accumulate *what, MPI_Win win) {
  struct window *window;
  enum outcome outcome;
  const struct target *target = accumulated_target(win, what->rank, &window, &outcome);
  if (!target)
    return outcome;
  struct of_word word = word_of(target, what);
  if (!word.there) {
    take_latch(window, target);
    return end_with_latch(window, target, accumulate_held(target, what));
  }
  change_now(window, target, &word);
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
    struct of_word word = word_of_kept(kept);
    ASSUME(word.op != MPI_NO_OP); /* without a result nothing is kept of it */
    change_word(is_open, &word);
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

static inline void keep_word(struct window *window, int rank, const struct of_word *word) {
  if (window->kept.count == KEPT_WORDS)
    kept_words_do(window);
  window->kept.called++;
  struct kept_word *kept = &window->kept.words[window->kept.count++];
  *kept = (struct kept_word){word->there, 0, word->reduction, word->op, word->datatype, rank};
  copy_whole(&kept->operand, word->operand, word->reduction->bytes);
}

/* False: it is for `accumulate`. With threads one would have to wait for what another has kept. */
static inline bool keep_if_word(const struct operand *origin, int rank, MPI_Aint disp, MPI_Count count,
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
  const struct of_word word = {there, origin->buffer, NULL, op, reduction, datatype};
  if (target->reach == REACH_BY_LOADS)
    word_is_next(there);
  else
    deferred_finish_for_rank(window, rank);
  keep_word(window, rank, &word);
  return true;
}

/* ---- At once. ---- */

/* As transfer_at_once: of the window that was used last, and of the operation and the datatype that were used last for
 * a word. Where that is, and the window. NULL: nothing is done. */
static inline char *find_word_at_once(const void *operand, MPI_Datatype datatype, int rank, MPI_Aint disp, MPI_Op op,
                                      MPI_Win win, struct window **window) {
  *window = target_at_once(win, rank);
  const struct reduction *reduction = reduction_at_once(*window, op, datatype);
  return reduction && operand ? word_at(&(*window)->targets[rank], disp, reduction->bytes) : NULL;
}

static inline bool accumulate_at_once(const void *operand, MPI_Datatype datatype, int rank, MPI_Aint disp, MPI_Op op,
                                      MPI_Win win) {
  struct window *window;
  char *there = find_word_at_once(operand, datatype, rank, disp, op, win, &window);
  if (!there || op == MPI_NO_OP)
    return false;
  const struct of_word word = {there, operand, NULL, op, last_of_words.reduction, datatype};
  if (window->kept.is_only_one && window->kept.called == 0) {
    window->kept.called = 1;
    change_now(window, &window->targets[rank], &word);
  } else {
    word_is_next(there);
    keep_word(window, rank, &word);
  }
  return true;
}

static inline bool fetch_at_once(const void *operand, void *result, MPI_Datatype datatype, int rank, MPI_Aint disp,
                                 MPI_Op op, MPI_Win win) {
  struct window *window;
  char *there = find_word_at_once(operand, datatype, rank, disp, op, win, &window);
  if (!there || !result || window->kept.count)
    return false;
  const struct of_word word = {there, operand, result, op, last_of_words.reduction, datatype};
  change_now(window, &window->targets[rank], &word);
  return true;
}

/* The same of several elements, with the latch. `result` may be NULL. */
static NOINLINE bool combine_at_once(const void *operand, void *result, MPI_Datatype datatype, int rank, MPI_Aint disp,
                                     MPI_Count count, MPI_Op op, MPI_Win win) {
  struct window *window = target_at_once(win, rank);
  const struct reduction *reduction = reduction_at_once(window, op, datatype);
  size_t bytes;
  if (!reduction || !combines(op) || !operand || count <= 0 ||
      __builtin_mul_overflow((size_t)count, reduction->bytes, &bytes))
    return false;
  const struct target *target = &window->targets[rank];
  char *there = target_bytes_at(target, disp, bytes);
  if (!there)
    return false;
  kept_words_finish(window);
  take_latch(window, target);
  if (result)
    copy_bytes(result, there, bytes);
  elements_combine_by(reduction, op, datatype, there, operand, (size_t)count);
  latch_give_back(&window->epochs.members[target->place]);
  return true;
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
  return keep_if_word(origin, rank, disp, count, datatype, op, win)
             ? OUTCOME_HERE
             : accumulate_now(origin, rank, disp, count, datatype, op, win);
}

#define COUNTED "onesided/accumulates_calls.h"
#include "point_to_point/counted.h"

static NOINLINE int fetch_and_op_any(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                                     MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  struct accumulate what = {
      {origin_addr, 1, datatype}, {result_addr, 1, datatype}, target_rank, target_disp, 1, datatype, op};
  runtime_enter_come(CALL_FETCH_AND_OP, 0, NULL);
  OPERATE_ENTERED(accumulate(&what, win),
                  mpi_first.Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win));
  return error;
}

int MPISHM_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                        MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  if (fetch_at_once(origin_addr, result_addr, datatype, target_rank, target_disp, op, win))
    return MPI_SUCCESS;
  runtime_come();
  return fetch_and_op_any(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
}
