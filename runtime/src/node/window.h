/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The node's window: who shares it, and how its segments are reached.
 */
#ifndef MPISHM_WINDOW_H
#define MPISHM_WINDOW_H

#include "node/runtime.h"

/* Collective over the node. `ready`: this rank has what else it needs. False, with the reason, when this node gets no
 * window. */
bool window_create(bool ready, const char **reason);
void window_destroy(void);
/* First contact with a rank of the node. */
COLD void endpoint_open(struct endpoint *endpoint, int node_rank);
/* The endpoint of that rank, opened. */
static inline struct endpoint *endpoint_opened(int node_rank) {
  struct endpoint *endpoint = &mpishm.endpoints[node_rank];
  if (!endpoint->segment)
    endpoint_open(endpoint, node_rank);
  return endpoint;
}

#endif
