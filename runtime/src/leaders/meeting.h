/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A collective in which the members on a node publish what they have for their leader, and it publishes what it has for
 * them when it has heard all of them: in slots of one epoch.
 */
#ifndef MPISHM_MEETING_H
#define MPISHM_MEETING_H

#include "members/parts.h"

enum { LEADER = 0 }; /* its place among the members on the node */

static inline bool is_leader(const struct collective *collective) {
  return collective->communicator->seat.place == LEADER;
}

/* The leader waits for all others. */
static inline void meeting_hear(struct collective *collective) {
  for (unsigned i = 0; i < collective->communicator->seat.members; i++)
    if (i != LEADER)
      hear(collective, i);
}

/* A member that has heard the leader knows that it has heard all others, which have ended what came before: its acquire
 * of the leader's slot pairs with a release that follows the leader's acquire of theirs. */
static inline void meeting_end(struct collective *collective) { epoch_end_of_all(&collective->communicator->seat); }

#endif
