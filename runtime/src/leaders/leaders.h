/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocking collectives of communicators with members on several nodes: inside a node through its area, between nodes by
 * messages of MPI's between *leaders*, members that speak for others of their node. They travel on a communicator of
 * the runtime's own, with the members of the program's.
 *
 * Whether leaders do a collective, and how many, all members decide alike: from the communicator, from what all have
 * agreed on when they opened it, and from arguments that MPI wants to be alike. What a member alone knows decides
 * nothing but what goes along with its data.
 *
 * Under the runtime's mutex, but for set-up and teardown.
 */
#ifndef MPISHM_LEADERS_H
#define MPISHM_LEADERS_H

#include "communicators/nodes.h"
#include "members/members.h"

struct boxes; /* leaders/boxes.h */

/* Of a communicator. Memory is private but for the area. */
struct leaders {
  struct leaders *next; /* of all that are open */
  struct communicator *communicator;
  struct communicator *here; /* the members on this node, in the order of their ranks: with an area of theirs */
  MPI_Comm comm;             /* all members, in the same order. MPI_COMM_NULL once it is freed */
  const struct nodes *nodes; /* the communicator's */
  int node;                  /* this one */
  int *start, *members;      /* the members on node n, in the order of their ranks, begin at members[start[n]] */
  size_t short_bytes;        /* have room in a slot, on each node */
  size_t box_limit;          /* bytes: no box of a member is larger, on each node */
  bool knows_boxes;
  struct boxes *boxes; /* then; NULL: none, on all members */
};

/* How many leaders the environment wants: 0 none, so that MPI does all; -1 as many as the model says (model.h). */
int leaders_wanted(void);
/* Set-up, where nodes are known: `most` is that number, the same on all ranks. */
void leaders_start(int most);
/* Teardown, while MPI still communicates. */
void leaders_end(void);

COLD struct leaders *leaders_open(struct communicator *communicator);
/* Those of a communicator, which know from now on that this is `call`; NULL: its collectives are MPI's, or all on one
 * node. The first call for a communicator is collective over its members. */
static inline struct leaders *leaders_find(MPI_Comm comm, enum call call) {
  struct communicator *communicator = communicator_find(comm);
  if (!communicator || !communicator->nodes)
    return NULL;
  struct leaders *leaders = communicator->leaders ? communicator->leaders : leaders_open(communicator);
  if (leaders)
    leaders->here->call = call_mark(call);
  return leaders;
}

/* All members tell one another the least of what each gives. Collective over them; false: MPI has failed. */
bool leaders_agree(const struct communicator *communicator, int64_t least[], int count);

static inline int node_size(const struct leaders *leaders, int node) {
  return leaders->start[node + 1] - leaders->start[node];
}
/* The rank of a member on a node; the first one speaks for it where one is enough. */
static inline int rank_on_node(const struct leaders *leaders, int node, int place) {
  return leaders->members[leaders->start[node] + place];
}

#endif
