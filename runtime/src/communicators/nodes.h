/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which nodes the members of a communicator are on, as all members see it alike.
 */
#ifndef MPISHM_NODES_H
#define MPISHM_NODES_H

#include <mpi.h>
#include <stdbool.h>

enum { MOST_MEMBERS_OF_NODES = 1 << 10 };

/* Of a communicator with members on several nodes, and on one of them more than one. From malloc, in one piece. */
struct nodes {
  int count;
  int least, most; /* members on one node */
  int of[];        /* of each member: its node. They are numbered in the order of their first members */
};

/* Memory for what is to be known of all ranks. False: there is none on this one. */
bool nodes_prepare(void);
/* Collective over MPI_COMM_WORLD: all ranks learn which node each is on, if there are several, and on all of them a
 * window. True: they have, the same on all ranks. The first communicator to be asked about is MPI_COMM_WORLD then. */
bool nodes_init(void);
void nodes_destroy(void);

/* Whether collectives of a communicator may go by leaders, the same on all its members; then *nodes is where they are,
 * or NULL: this member has no memory for that. Local. Thread safety: constant between set-up and teardown. */
bool nodes_find(MPI_Comm comm, struct nodes **nodes);

#endif
