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

/* An accumulate of one element that is a word: counters, random updates. (The two handles are apart, since compilers
 * otherwise compare both by one load of what has just been written by two stores, for which a processor waits.) */
struct of_word {
  char *there; /* NULL: it is none */
  const void *operand;
  void *result; /* NULL: nobody asks for it */
  MPI_Op op;
  const struct reduction *reduction; /* which for MPI_REPLACE and MPI_NO_OP only says how long the word is */
  MPI_Datatype datatype;
};

/* The most frequent ones without a call. False: nothing is done. */
static inline bool combine_in_place(const struct of_word *word, void *into) {
#define COMBINE_INTEGERS(type)                                                                                         \
  do {                                                                                                                 \
    type a, b;                                                                                                         \
    memcpy(&a, into, sizeof a);                                                                                        \
    memcpy(&b, word->operand, sizeof b);                                                                               \
    a = word->op == MPI_SUM ? a + b : a ^ b;                                                                           \
    memcpy(into, &a, sizeof a);                                                                                        \
    return true;                                                                                                       \
  } while (0)
  if (word->op == MPI_SUM && word->datatype == MPI_DOUBLE) {
    double a, b, sum;
    memcpy(&a, into, sizeof a);
    memcpy(&b, word->operand, sizeof b);
    sum = a + b;
    if (sum != sum) /* whose bits it has then, the library decides */
      return false;
    memcpy(into, &sum, sizeof sum);
    return true;
  }
  if (word->reduction->doubtful || (word->op != MPI_SUM && word->op != MPI_BXOR))
    return false;
  if (word->reduction->bytes == sizeof(uint64_t))
    COMBINE_INTEGERS(uint64_t);
  if (word->reduction->bytes == sizeof(uint32_t))
    COMBINE_INTEGERS(uint32_t);
  return false;
#undef COMBINE_INTEGERS
}

/* into = into op what is there. */
static inline void combine_one(const struct of_word *word, void *into) {
  const struct reduction *reduction = word->reduction;
  uint64_t kept;
  if (combine_in_place(word, into))
    return;
  copy_whole(&kept, into, reduction->bytes);
  if (reduction->combine(into, word->operand, 1)) { /* doubtful: once more, by whom the library has for it */
    copy_whole(into, &kept, reduction->bytes);
    elements_combine(word->op, word->datatype, into, word->operand, 1);
  }
}

/* With the latch. */
static inline void change_held(const struct of_word *word) {
  if (word->result)
    copy_whole(word->result, word->there, word->reduction->bytes);
  if (word->op == MPI_REPLACE)
    copy_whole(word->there, word->operand, word->reduction->bytes);
  else if (word->op != MPI_NO_OP)
    combine_one(word, word->there);
}

static inline struct of_word word_of_kept(const struct kept_word *kept) {
  return (struct of_word){kept->there, &kept->operand, NULL, kept->op, kept->reduction, kept->datatype};
}

/* Returns what the latch was before. */
uint32_t take_latch(struct window *window, const struct target *target);
/* Whoever takes a latch that was open: until those that have announced themselves are through. */
COLD void wait_for_words(struct window *window, const struct target *target);

/* ---- words_by_kernel.c ---- */

/* Does kept accumulates of words in private memory of the rank of the first, with one call of the kernel to read them
 * and one to write them, and marks them as done. */
COLD void words_change_by_kernel(struct window *window, struct kept_word *first, const struct kept_word *end);

#endif
