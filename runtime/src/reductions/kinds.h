/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kinds of reductions of which it is found out what the MPI library does: those of one communicator with as many
 * elements of one type and the same root. Libraries choose algorithms by size, some of them only after a number of
 * calls: hence for each count of elements, and not at the first call. A kind is looked into when it has been called as
 * often as that takes calls of the library's: a program then takes at most twice as long for them, and one that calls
 * it now and then is not held up. Under the runtime's mutex, but for what the library does.
 */
#ifndef MPISHM_KINDS_H
#define MPISHM_KINDS_H

#include "reductions/reduce.h"

/* In the place of a root. */
enum { ALL_ROOTS = -1, MEMBERS_BEFORE = -2 /* a scan */ };

/* Which of two operands a maximum or minimum is where comparison does not tell (extremes.h): the same for all elements
 * of a run, since what a library combines by vectors, and what it leaves to another member, it may treat otherwise. */
struct extreme_choices {
  unsigned runs;
  struct {
    size_t until;       /* the first element behind it */
    unsigned theirs[2]; /* a bit for each case in which it is that of the member without the result; [1]: in place */
  } run[4];
};

/* All members have the same ones, in the same state, and what they have found agrees. */
struct kind {
  const struct reduction *reduction;
  size_t count;
  int root;
  unsigned calls; /* so far, in the first state */
  enum { KIND_UNDECIDED, KIND_FOUND, KIND_UNKNOWN } state;
  union { /* KIND_FOUND: the order, of all; choices, of those that compute the result */
    struct order order;
    struct extreme_choices choices;
  };
};

/* NULL: it is none of those that are remembered. Collective over the members, the first time. */
struct kind *kind_find(struct communicator *communicator, const struct reduction *reduction, MPI_Count count, int root);

/* What the library is asked: buffers for one kind. */
struct question {
  const struct communicator *communicator;
  const struct kind *kind;
  MPI_Datatype datatype;
  MPI_Op op;
  unsigned char *given, *result;
  bool ok;
};

/* Whether this member computes something of others'. */
bool has_result(const struct question *question);
/* Whether the library can be asked in place; as this member knows it, which has a result or not. */
bool can_ask_in_place(const struct question *question);
/* Has the library reduce what all have given: in place only if it can. */
void ask(struct question *question, bool in_place);
/* Whether all members that have a result have found the same, which such a number tells, above 0. Who has none agrees
 * with everybody. */
bool all_found(const struct question *question, bool found, long long name);

#endif
