/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory in the window by which leaders bring parts of members to members on other nodes. Each member has an *outbox*,
 * in which it leaves what goes elsewhere, a bundle for each node; each who may be a leader has an *inbox*, for a letter
 * of each other node.
 *
 *   bundle: uint32_t bytes[], of a part for each member on that node, or for all of one; then the parts, in that order
 *   letter: struct letter, then a bundle of each member that its leader speaks for
 *
 * They are made when the communicator needs them first.
 *
 * Who writes what when: an outbox its member, before it publishes the slot of a collective (area/area.h); leaders read
 * it once they have heard that slot, and are done before they publish one themselves, in the epoch after, which the
 * member hears before it writes again. An inbox its leader, by receives of MPI's, before it publishes that slot; the
 * members on its node read it then, and say that they are done with that epoch, which the leader looks for before it
 * receives again.
 */
#ifndef MPISHM_BOXES_H
#define MPISHM_BOXES_H

#include "leaders/leaders.h"

/* In the place of a part's bytes: it does not travel by leaders. */
#define PART_IS_DIRECT UINT32_MAX

struct letter {
  uint32_t stripes; /* leaders of a node, in this collective */
  uint32_t refused; /* a member passes arguments that MPI is to look at: no bundles */
};

struct boxes {
  size_t part_bytes; /* at most, of a part that travels so; a multiple of 8 */
  char *out;         /* own */
  char **out_of;     /* per member on the node */
  char **in_of;      /* per leader on the node */
  char *outgoing;    /* private, of a leader: letters */
  uint64_t told;     /* the epoch in which members read the own inbox last */
};

/* No box of this rank's may be larger. */
size_t boxes_limit(void);
/* Those of a communicator, or NULL: all members have none. Collective over the members the first time. */
struct boxes *boxes_find(struct leaders *leaders);
/* Waits until nobody reads the own inbox any more: all members are in that collective, or have left it, and need
 * nothing more of this one. */
void boxes_await_readers(struct leaders *leaders);
void boxes_destroy(struct leaders *leaders);

/* The room that a bundle takes at most. */
static inline size_t bundle_room(const struct boxes *boxes, int parts) {
  return (size_t)parts * (sizeof(uint32_t) + boxes->part_bytes);
}
/* How many members a leader speaks for at most, of `members` on its node: those whose places are the same modulo the
 * number of leaders. */
static inline int most_spoken_for(int members, int leader) { return (members + leader) / (leader + 1); }

/* Where the bundle for a node lies in an outbox. */
size_t bundle_at(const struct leaders *leaders, int node);
/* Where the letter of a node to the members on another lies, in the inbox of the leader at that place. */
size_t letter_at(const struct leaders *leaders, int from, int to, int leader);
/* The room for one from a node at another. */
size_t letter_room(const struct leaders *leaders, int from, int to, int leader);

#endif
