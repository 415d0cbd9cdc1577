/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Maxima and minima of floating-point numbers of two members, one of which has the result: where the two are zeros of
 * both signs, or one is no number, a library takes one of them, by which it is given first and how it compares. Which,
 * in each of these cases, is found out for each kind that is used often; then who has the result needs nobody else for
 * it. Under the runtime's mutex, but for what the library does.
 */
#ifndef MPISHM_EXTREMES_H
#define MPISHM_EXTREMES_H

#include "reductions/kinds.h"

/* Whether values may put the bits in doubt of which nobody but the library can be asked, and that in its own call. */
static inline bool is_of_extremes(const struct reduction *reduction) {
  return reduction->doubtful && !reduction->any_order && !reduction->settles;
}
/* What the library chooses, or NULL: that is not known. Of what both members pass alike: collective over them, since
 * now and then it has the library reduce, to find out. */
const struct extreme_choices *extreme_choices_of(struct communicator *communicator, const struct reduction *reduction,
                                                 MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root);
/* Puts the library's choices into the result, of `count` elements from the first-th on, where comparison does not tell;
 * the rest is there. */
void extreme_choose(const struct extreme_choices *choices, bool in_place, const struct reduction *reduction,
                    size_t first, unsigned char *into, const unsigned char *theirs, const unsigned char *mine,
                    size_t count);

#endif
