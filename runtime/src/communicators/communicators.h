/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registered communicators. Thread safety: under the runtime's mutex, but for set-up and communicator_register.
 */
#ifndef MPISHM_COMMUNICATORS_H
#define MPISHM_COMMUNICATORS_H

#include "area/area.h"
#include "errors/errors.h"
#include "node/runtime.h"

struct operation;    /* messages/operations.h */
struct neighborhood; /* portions/neighborhood.h */
struct kinds;        /* reductions/kinds.c */
struct trials;       /* members/trials.h */
struct grid;         /* nonblocking/neighbors.c */
struct leaders;      /* leaders/leaders.h */
struct nodes;        /* communicators/nodes.h */

/* How collectives of a communicator go, the same on all its members (collectives/). */
enum collectives {
  COLLECTIVES_UNDECIDED, /* there was none so far */
  COLLECTIVES_HERE,      /* through the window: it has an area */
  COLLECTIVES_BY_MPI
};

/* That of messages of the runtime's own (members/parcels.h), which are none of the program's: no statistics count
 * them. Their envelopes have those up to OWN_CONTEXTS. */
enum { CONTEXT_OWN = 0 };

/* Kinds of collectives that the library counts (counted.h). */
enum counted {
  COUNTED_BARRIER,
  COUNTED_SHORT_BCAST,
  COUNTED_BCAST,
  COUNTED_LONG_BCAST,
  COUNTED_REDUCE,
  COUNTED_ALLREDUCE,
  COUNTED_KINDS
};

/* Ids that are kept for what MPI_Comm_idup makes of a communicator: the next, and how many there are. Each that is made
 * takes `share` of them, the first for itself; 0: none has been made yet. The same on all members on a node, and their
 * number on all nodes if it has `nodes`. */
struct child_contexts {
  uint32_t first, count, share;
};

/* A registered communicator. Lives until MPI frees it and its last operation is finished. */
struct communicator {
  MPI_Comm handle;           /* MPI_COMM_NULL once freed */
  MPI_Errhandler errhandler; /* from then on, if operations are left; else MPI_ERRHANDLER_NULL */
  uint32_t context;
  struct child_contexts child_contexts;
  const struct communicator *made_of; /* while MPI_Comm_idup makes it, else NULL */
  int rank, size;
  int *node_rank; /* per rank: rank on this node, or -1 */
  /* Per rank: the same where messages to and from it go through the window, else -1; all of them where they are MPI's,
   * the same on all members. */
  const int *message_rank;
  bool messages_by_mpi; /* those with wildcards, and probes, are, too */
  int *local;           /* the ranks on this node */
  int local_count;
  int references;
  /* Wildcards that nothing has matched yet, and other receives that must not overtake them; in the order of posting. */
  struct operation *waiting, **waiting_tail;
  bool mpi_first;   /* the next wildcard looks first for what comes from other nodes */
  uint64_t settled; /* when all that waits has last got what it could (wildcards.c) */
  enum collectives collectives;
  uint16_t call; /* of the blocking collective that this rank is in, or was in last (call_mark, members/members.h) */
  /* So many of each kind are the library's yet (counted.h); the same on all members. */
  int left_to_library[COUNTED_KINDS];
  struct seat seat; /* COLLECTIVES_HERE */
  /* Which way is faster. NULL: there are no trials, on all members. From calloc, in one piece */
  struct trials *trials;
  bool knows_neighborhood;
  struct neighborhood *neighborhood; /* then; NULL: none. From malloc, in one piece */
  bool knows_kinds;
  struct kinds *kinds; /* the same */
  bool knows_grid;
  struct grid *grid; /* the same */
  /* Collectives that go by leaders of the nodes. NULL: none, on all members. From malloc, in one piece */
  struct nodes *nodes;
  struct leaders *leaders; /* NULL: there was none so far */
  const int *ranks;        /* of its members, in the communicator that this is a part of; NULL: of none */
};

/* What else of a new record is made, with its members known. False: there is no memory. NULL: nothing. */
extern bool (*communicator_begins)(struct communicator *communicator);
/* What is done before a record goes whose communicator has an area; NULL: nothing. */
extern void (*communicator_ends)(struct communicator *communicator);
/* What is done when MPI frees a communicator that has leaders. Without the mutex. */
extern void (*communicator_loses_leaders)(struct communicator *communicator);

bool communicators_init(void);
/* Collective over MPI_COMM_WORLD. Communicators that are registered from now on, and it, learn which nodes their
 * members are on. False: collectives between nodes are MPI's, on all ranks. */
bool communicators_know_nodes(void);
void communicators_destroy(void);
/* Collective over the members of `comm` on this node. Does nothing for MPI_COMM_NULL, intercommunicators and before
 * attach. */
void communicator_register(MPI_Comm comm);
/* Around MPI_Comm_idup on `comm`: begins the record of what it makes (NULL: that is not to be registered, on all
 * members) and ends it. False: there is no memory. `context`: that of the child. `handed_over`: MPI has copied `comm`
 * with its attributes. `made`: MPI_COMM_NULL if it has failed. */
bool communicator_begin_child(MPI_Comm comm, struct communicator **child);
void communicator_end_child(MPI_Comm comm, struct communicator *child, uint32_t context, bool handed_over,
                            MPI_Comm made);
/* The record that this thread's copy of a communicator is to get (NULL: none); what it was before, NULL too once a copy
 * has got it. */
struct communicator *communicator_expect(struct communicator *child);
/* Whether this thread is in MPISHM_Comm_dup or a relative. */
bool communicator_is_being_made(void);
COLD void communicator_free(struct communicator *communicator);
/* What a member is called by the program. */
static inline int rank_of_member(const struct communicator *communicator, unsigned place) {
  return communicator->ranks ? communicator->ranks[place] : (int)place;
}
/* The member that has this rank on the node, or MPI_ANY_SOURCE. */
COLD int communicator_member_on_node(const struct communicator *communicator, int node_rank);
/* As the library raises an error that has to do with this communicator; also when it was freed. */
COLD void communicator_raise(const struct communicator *communicator, enum error_in in, int error);
static inline void communicator_release(struct communicator *communicator) {
  if (--communicator->references == 0)
    communicator_free(communicator);
}

/* The communicator that was asked for last: most programs use one at a time. */
struct communicator_memo {
  MPI_Comm handle;
  struct communicator *communicator; /* NULL: none */
};
extern struct communicator_memo last_communicator;
/* The same for requests/plain.h, and only where that may be used: elsewhere nobody writes it, so that it can be read
 * without the mutex. `size`: its members; 0: none. */
struct plain_communicator {
  MPI_Comm handle;
  unsigned size;
  struct communicator *communicator;
};
extern struct plain_communicator plain_communicator;
COLD struct communicator *communicator_look_up(MPI_Comm comm);
/* The record of a registered communicator, else NULL; NULL too where the node has no window. */
static inline struct communicator *communicator_find(MPI_Comm comm) {
  return last_communicator.communicator && comm == last_communicator.handle ? last_communicator.communicator
                                                                            : communicator_look_up(comm);
}

#endif
