/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/reach.h"
#include "onesided/held_words.h"

#include <limits.h>

/* Copies of words, each of which is there once, and which do not overlap. */
struct copies {
  struct reach_batch batch;
  uint64_t words[KEPT_WORDS];
  unsigned places[KEPT_WORDS]; /* of kept ones */
};

#define OVERLAPS UINT_MAX
_Static_assert((int)KEPT_WORDS <= (int)REACH_BATCH, "all that are kept are one call");

/* Which copy is of this word: a new one, unless it is there already. */
static unsigned place_of_word(struct copies *copies, char *there, size_t bytes) {
  struct reach_batch *batch = &copies->batch;
  for (unsigned i = 0; i < batch->count; i++) {
    const struct iovec *word = &batch->there[i];
    const char *start = word->iov_base;
    if (start == there && word->iov_len == bytes)
      return i;
    if (there < start + word->iov_len && start < there + bytes)
      return OVERLAPS;
  }
  batch->there[batch->count] = (struct iovec){there, bytes};
  batch->here[batch->count] = (struct iovec){&copies->words[batch->count], bytes};
  batch->bytes += bytes;
  return batch->count++;
}

/* The kernel has refused. With the latch, so that nobody else accumulates: where the words have been read, any of them
 * may have been written, and all are put there that have come out; else MPI does it all. */
static void words_by_mpi(struct window *window, const struct copies *copies, const struct kept_word *first,
                         const struct kept_word *end, bool are_read) {
  const int rank = first->rank;
  const struct target *target = &window->targets[rank];
  mpi_lock_begin(window, rank);
  for (const struct kept_word *kept = first; kept < end; kept++)
    if (kept->rank == rank)
      PMPI_Accumulate(are_read ? &copies->words[copies->places[kept - first]] : &kept->operand, 1, kept->datatype, rank,
                      (kept->there - target->base) / target->unit, 1, kept->datatype, are_read ? MPI_REPLACE : kept->op,
                      window->handle);
  mpi_lock_end(window, rank);
}

/* Does as many as do not overlap, and returns the next, or the end. */
static struct kept_word *change_some(struct window *window, struct kept_word *first, const struct kept_word *end) {
  const int rank = first->rank;
  struct copies copies = {.batch.pid = window->targets[rank].pid};
  struct kept_word *past = first;
  for (; past < end; past++)
    if (past->rank == rank &&
        (copies.places[past - first] = place_of_word(&copies, past->there, past->reduction->bytes)) == OVERLAPS)
      break;
  bool are_read = reach_read_batch(&copies.batch);
  for (struct kept_word *kept = first; are_read && kept < past; kept++) {
    if (kept->rank != rank)
      continue;
    struct of_word word = word_of_kept(kept);
    word.there = (char *)&copies.words[copies.places[kept - first]];
    change_held(&word);
  }
  if (!are_read || !reach_write_batch(&copies.batch))
    words_by_mpi(window, &copies, first, past, are_read);
  for (struct kept_word *kept = first; kept < past; kept++)
    if (kept->rank == rank)
      kept->rank = -1;
  while (past < end && past->rank != rank)
    past++;
  return past;
}

void words_change_by_kernel(struct window *window, struct kept_word *first, const struct kept_word *end) {
  const struct target *target = &window->targets[first->rank];
  take_latch(window, target);
  while (first < end)
    first = change_some(window, first, end);
  latch_give_back(&window->epochs.members[target->place]);
}
