/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls in which what a member gives itself already lies where it is to go, without MPI_IN_PLACE. MPI forbids that;
 * some libraries take it, and others refuse it before the other members hear of the call: so such a call is not begun
 * here.
 */
#ifndef MPISHM_ALIASES_H
#define MPISHM_ALIASES_H

#include "members/sides.h"

/* Whether the library refuses them. Found out by one on a communicator of this rank alone; with the mutex, which is
 * given up meanwhile. */
COLD bool aliases_are_refused(void);

static inline bool have_counts(const struct side *side) {
  return side->form == SAME || (side->counts && side->displacements);
}

/* Whether the part with this number of what is sent is that of what is received: no library that looks lets it pass. */
static inline bool parts_are_one(const struct side *send, unsigned sent, const struct side *receive,
                                 unsigned received) {
  if (send->form == DATATYPES || send->datatype != receive->datatype || send->buffer == MPI_IN_PLACE ||
      receive->buffer == MPI_IN_PLACE || !have_counts(send) || !have_counts(receive) || count_of(send, sent) <= 0 ||
      count_of(send, sent) != count_of(receive, received))
    return false;
  const struct layout *layout = layout_find(send->datatype);
  return layout && layout->size > 0 && (MPI_Aint)layout->size == layout->extent &&
         displaced(send->buffer, displacement_of(send, sent) * layout->extent) ==
             displaced(receive->buffer, displacement_of(receive, received) * layout->extent);
}
/* The same of the part that is this member's of each for each, which one and the same arguments describe. */
static inline bool own_parts_are_one(const struct side *send, const struct side *receive, unsigned own) {
  if (send->form == SAME)
    return parts_are_one(send, own, receive, own);
  return send->counts == receive->counts && send->displacements == receive->displacements &&
         send->datatype == receive->datatype && send->datatypes == receive->datatypes && have_counts(send) &&
         count_of(send, own) > 0;
}

/* Whether the call is such: asked before anything that the other members take part in. */
static inline bool is_refused_as_alias(const struct side *send, unsigned sent, const struct side *receive,
                                       unsigned received) {
  return UNLIKELY(parts_are_one(send, sent, receive, received)) && aliases_are_refused();
}
/* The same where one member, ANY_ROOT: each, gathers, or scatters. */
enum { ANY_ROOT = -1 };
static inline bool is_refused_gather(MPI_Comm comm, int root, const struct side *send, const struct side *receive) {
  const struct communicator *communicator = communicator_find(comm);
  return communicator && (root == ANY_ROOT || root == communicator->rank) &&
         is_refused_as_alias(send, 0, receive, (unsigned)communicator->rank);
}
static inline bool is_refused_scatter(MPI_Comm comm, int root, const struct side *send, const struct side *receive) {
  const struct communicator *communicator = communicator_find(comm);
  return communicator && root == communicator->rank && is_refused_as_alias(send, (unsigned)root, receive, 0);
}
/* Each has a part for each. */
static inline bool is_refused_exchange(MPI_Comm comm, const struct side *send, const struct side *receive) {
  if (send->buffer != receive->buffer)
    return false;
  const struct communicator *communicator = communicator_find(comm);
  return communicator && own_parts_are_one(send, receive, (unsigned)communicator->rank) && aliases_are_refused();
}
/* A reduction of which each has a result. */
static inline bool is_refused_reduction(const void *sendbuf, const void *recvbuf, MPI_Count count) {
  return UNLIKELY(sendbuf == recvbuf) && count > 0 && aliases_are_refused();
}
/* One of which one member has it, or each its part. */
COLD bool is_refused_at(MPI_Comm comm, int root, MPI_Count count);
COLD bool is_refused_in_parts(MPI_Comm comm, const struct side *receive);

#endif
