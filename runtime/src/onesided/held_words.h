/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an accumulate does to a word, with its target's latch, wherever the word is or a copy of it.
 */
#ifndef MPISHM_HELD_WORDS_H
#define MPISHM_HELD_WORDS_H

#include "onesided/accesses.h"
#include "onesided/elements.h"
#include "reductions/reductions.h"

/* Arguments that name elements of the origin's. */
struct operand {
  const void *buffer;
  MPI_Count count;
  MPI_Datatype datatype;
};

struct accumulate {
  struct operand origin;
  struct operand result; /* a null handle for the datatype: there is none */
  int rank;
  MPI_Aint disp;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Op op;
};

static inline bool combines(MPI_Op op) { return op != MPI_REPLACE && op != MPI_NO_OP; }

/* An accumulate of one element that is a word: counters, random updates. */
struct of_word {
  char *there; /* NULL: it is none */
  void *result;
  const struct reduction *reduction; /* which for MPI_REPLACE and MPI_NO_OP only says how long the word is */
};

/* into = into op what is there. */
static inline void combine_one(const struct reduction *reduction, const struct accumulate *what, void *into) {
  uint64_t kept;
  copy_whole(&kept, into, reduction->bytes);
  if (reduction->combine(into, what->origin.buffer, 1)) { /* doubtful: once more, by whom the library has for it */
    copy_whole(into, &kept, reduction->bytes);
    elements_combine(what->op, what->datatype, into, what->origin.buffer, 1);
  }
}

/* With the latch. */
static inline void change_held(const struct of_word *word, const struct accumulate *what) {
  if (word->result)
    copy_whole(word->result, word->there, word->reduction->bytes);
  if (what->op == MPI_REPLACE)
    copy_whole(word->there, what->origin.buffer, word->reduction->bytes);
  else if (what->op != MPI_NO_OP)
    combine_one(word->reduction, what, word->there);
}

/* Returns what the latch was before. */
uint32_t take_latch(struct window *window, const struct target *target);

/* ---- words_by_kernel.c ---- */

/* Does kept accumulates of words in private memory of the rank of the first, with one call of the kernel to read them
 * and one to write them, and marks them as done. */
COLD void words_change_by_kernel(struct window *window, struct kept_word *first, const struct kept_word *end);

#endif
