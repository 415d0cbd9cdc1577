/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which way a message goes. Under the runtime's mutex.
 */
#ifndef MPISHM_ROUTES_H
#define MPISHM_ROUTES_H

#include "base/origin.h"
#include "communicators/communicators.h"
#include "layouts/layout.h"
#include "node/window.h"

enum route_kind {
  ROUTE_NODE,   /* through the window */
  ROUTE_MPI,    /* through MPI: another node, MPI_PROC_NULL, a communicator whose messages all are MPI's */
  ROUTE_INVALID /* arguments that MPI is to refuse */
};
struct route {
  struct communicator *communicator;
  struct endpoint *endpoint; /* NULL: a wildcard */
  struct layout *layout;
  size_t bytes; /* count * size of the datatype */
};
/* All that is not an exact message with a rank of a registered communicator: a wildcard, which is ROUTE_NODE with its
 * layout, or something that is not for the window. (By value: a struct route whose address is taken lies in memory.) */
struct special_route {
  enum route_kind kind;
  struct layout *layout;
};
COLD struct special_route route_special(const struct communicator *communicator, MPI_Count count, MPI_Datatype datatype,
                                        int peer, int tag, bool receive);

/* Of a message of this call, and of the call that this thread is in. */
static inline struct envelope envelope_by(const struct origin *by, const struct communicator *communicator, int tag) {
  ASSUME(communicator);
  return (struct envelope){communicator->context | (by->site ? CONTEXT_UNREWRITTEN : 0), tag};
}
static inline struct envelope envelope_of(const struct communicator *communicator, int tag) {
  return envelope_by(&unrewritten, communicator, tag);
}

static inline enum route_kind route_find(struct route *route, const void *buffer, MPI_Count count,
                                         MPI_Datatype datatype, int peer, int tag, MPI_Comm comm, bool receive) {
  struct communicator *communicator = communicator_find(comm);
  *route = (struct route){NULL, NULL, NULL, 0};
  /* As unsigned numbers, negative ones are large. */
  if (UNLIKELY(!communicator || (unsigned)peer >= (unsigned)communicator->size ||
               (unsigned)tag > (unsigned)mpishm.tag_ub || count < 0)) {
    struct special_route special = route_special(communicator, count, datatype, peer, tag, receive);
    if (special.kind != ROUTE_NODE)
      return special.kind;
    *route = (struct route){communicator, NULL, special.layout, (size_t)count * special.layout->size};
    return !buffer && !layout_takes_null(special.layout) && route->bytes ? ROUTE_INVALID : ROUTE_NODE;
  }
  int node_rank = communicator->message_rank[peer];
  if (UNLIKELY(node_rank < 0))
    return ROUTE_MPI;
  struct layout *layout = layout_find(datatype);
  if (UNLIKELY(!layout))
    return ROUTE_INVALID;
  struct endpoint *endpoint = &mpishm.endpoints[node_rank];
  ASSUME(endpoint);
  *route = (struct route){communicator, endpoint, layout, (size_t)count * layout->size};
  if (UNLIKELY(!route->endpoint->segment))
    endpoint_open(route->endpoint, node_rank);
  return UNLIKELY(!buffer) && !layout_takes_null(layout) && route->bytes ? ROUTE_INVALID : ROUTE_NODE;
}

#endif
