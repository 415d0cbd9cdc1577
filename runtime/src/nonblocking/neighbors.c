/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: nonblocking collectives of neighbours in a Cartesian topology, which all members know alike; of a graph
 * a member knows its own neighbours alone.
 */
#include "members/sides.h"
#include "mpishm.h"
#include "next/next.h"
#include "nonblocking/starts.h"
#include "watch/enter.h"

#include <stdlib.h>

enum { MOST_DIMENSIONS = 8, MOST_NEIGHBORS = 2 * MOST_DIMENSIONS };

/* Of this member: in each dimension the one before and the one after, or NOBODY. */
struct grid {
  unsigned count, neighbors[MOST_NEIGHBORS];
};

/* False, on all members: the call is MPI's. So it is where a member would have one neighbour twice: which part of that
 * one's is which, libraries see in different ways. */
static bool find_grid(const struct communicator *communicator, struct grid *grid) {
  int topology = MPI_UNDEFINED, dimensions = 0, lengths[MOST_DIMENSIONS], periodic[MOST_DIMENSIONS];
  int place[MOST_DIMENSIONS];
  PMPI_Topo_test(communicator->handle, &topology);
  if (topology != MPI_CART || PMPI_Cartdim_get(communicator->handle, &dimensions) != MPI_SUCCESS ||
      dimensions > MOST_DIMENSIONS)
    return false;
  if (dimensions > 0)
    PMPI_Cart_get(communicator->handle, dimensions, lengths, periodic, place);
  for (int i = 0; i < dimensions; i++) {
    if (periodic[i] && lengths[i] <= 2)
      return false;
    int before = MPI_PROC_NULL, after = MPI_PROC_NULL;
    PMPI_Cart_shift(communicator->handle, i, 1, &before, &after);
    grid->neighbors[grid->count++] = member_of_rank(before);
    grid->neighbors[grid->count++] = member_of_rank(after);
  }
  return true;
}

/* That of a communicator, whose topology never changes, or NULL. `room`: for one of which no record can be kept. */
static const struct grid *grid_of(struct communicator *communicator, struct grid *room) {
  if (communicator->knows_grid)
    return communicator->grid;
  if (find_grid(communicator, room)) {
    communicator->grid = malloc(sizeof *room);
    if (!communicator->grid)
      return room;
    *communicator->grid = *room;
  }
  communicator->knows_grid = true;
  return communicator->grid;
}

static enum start start_in_grid(struct communicator *communicator, const struct grid *grid, const struct part sent[],
                                const struct part received[], struct asked asked) {
  struct bundle *bundle = bundle_make(communicator, asked, 2 * grid->count, 0);
  if (!bundle)
    return START_NO_MEMORY;
  bundle->is_rooted = true;
  for (unsigned i = 0; i < grid->count; i++)
    if (grid->neighbors[i] != NOBODY)
      bundle_receive(bundle, grid->neighbors[i], &received[i]);
  for (unsigned i = 0; i < grid->count; i++)
    if (grid->neighbors[i] != NOBODY)
      bundle_send(bundle, grid->neighbors[i], &sent[i]);
  bundle_end(bundle, asked);
  return STARTED;
}

/* `to_all`: what is sent is the same for all. */
enum start start_with_neighbors(bool to_all, const struct side *send, const struct side *receive, MPI_Comm comm,
                                struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  struct grid room = {0};
  const struct grid *grid = communicator ? grid_of(communicator, &room) : NULL;
  struct part sent[MOST_NEIGHBORS], received[MOST_NEIGHBORS];
  enum start start = START_BY_MPI;
  const unsigned count = grid ? grid->count : 0;
  if (!grid || !find_parts_with(send, to_all, grid->neighbors, count, sent))
    return START_BY_MPI;
  if (find_parts_with(receive, false, grid->neighbors, count, received)) {
    start = start_in_grid(communicator, grid, sent, received, asked);
    release_parts(received, count);
  }
  release_parts(sent, count);
  return start;
}

#define COUNTED "nonblocking/neighbors_calls.h"
#include "point_to_point/counted.h"
