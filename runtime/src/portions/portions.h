/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Another part for each of several members: those that find room in the slot of who gives them go there, the others are
 * parcels. So members whose parts differ in length need not agree on a way, and nobody waits for those that read.
 */
#ifndef MPISHM_PORTIONS_H
#define MPISHM_PORTIONS_H

#include "members/parcels.h"

/* What one member has for several, or several have for one. All belongs to the caller. */
struct portions {
  unsigned count;
  const unsigned *members; /* whose they are: none twice, but for NOBODY; NULL: the i-th is the i-th member's */
  const struct part *parts;
  bool *is_parcel;       /* of each: a parcel that is under way */
  struct operation *ops; /* theirs */
};

static inline unsigned portion_member(const struct portions *portions, unsigned i) {
  return portions->members ? portions->members[i] : i;
}

/* Publishes what the others are to get, of at most most_parts members, and starts the parcels. True: there are any. */
bool portions_give(struct collective *collective, const struct portions *portions);
/* Takes what others have for this member, and starts to receive what comes as parcels. True: there are any. This
 * member's own part is left alone, here and above. */
bool portions_take(struct collective *collective, const struct portions *portions);
/* Waits until all parcels of both are done; `other` may be NULL. */
void portions_await(const struct collective *collective, const struct portions *one, const struct portions *other);
/* The same, and ends them; neither is NULL. */
COLD void portions_wait(struct collective *collective, const struct portions *one, const struct portions *other);

/* The own part stays within the member. Where it is there already nothing is left to do, MPI_IN_PLACE or not. */
static inline void copy_own_part(struct collective *collective, const struct part *to, const struct part *from) {
  bool is_there = from->piece && from->piece == to->piece;
  if (is_there ? from->bytes > to->bytes : !part_copy(to, from))
    collective->error = MPI_ERR_TRUNCATE;
}

#endif
