/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The broadcast: a tree of nodes, each of which gets it once. The root speaks for its node itself.
 */
#include "leaders/between.h"
#include "leaders/model.h"
#include "leaders/served.h"
#include "members/parts.h"

enum { MOST_CHILDREN = 10 }; /* the number of binary digits of MOST_MEMBERS_OF_NODES */

struct broadcast {
  struct leaders *leaders;
  struct message message; /* the program's arguments */
  struct part part;       /* the same */
  int root;
  int children; /* nodes that this one sends to */
  MPI_Request sends[MOST_CHILDREN];
};

/* Who speaks for the node that is so many places after the root's. */
static int speaker(const struct broadcast *broadcast, int distance) {
  const struct leaders *leaders = broadcast->leaders;
  int of_root = leaders->nodes->of[broadcast->root];
  return distance == 0 ? broadcast->root : rank_on_node(leaders, (of_root + distance) % leaders->nodes->count, 0);
}

/* A binomial tree of the nodes, for who speaks for this one. */
static int pass_on(struct broadcast *broadcast) {
  const struct leaders *leaders = broadcast->leaders;
  int count = leaders->nodes->count, mask = 1, error = MPI_SUCCESS;
  int distance = (leaders->node + count - leaders->nodes->of[broadcast->root]) % count;
  while (mask < count && !(distance & mask))
    mask *= 2;
  if (distance > 0) {
    MPI_Request request;
    int from = speaker(broadcast, distance - mask);
    error = between_receive(leaders, broadcast->message, from, BETWEEN_BROADCASTS, &request);
    error = worse(error, between_wait(leaders, 1, &request, from));
  }
  for (mask /= 2; mask > 0; mask /= 2)
    if (distance + mask < count)
      error = worse(error, between_send(leaders, broadcast->message, speaker(broadcast, distance + mask),
                                        BETWEEN_BROADCASTS, &broadcast->sends[broadcast->children++]));
  return error;
}

/* The members of a node that could not read what their speaker has, or had no memory for, get it by MPI. */
COLD static int tell_here(const struct broadcast *broadcast, int from) {
  const struct leaders *leaders = broadcast->leaders;
  MPI_Request request;
  int error = MPI_SUCCESS;
  if (leaders->communicator->rank != from) {
    error = between_receive(leaders, broadcast->message, from, BETWEEN_PARTS, &request);
    return worse(error, between_wait(leaders, 1, &request, from));
  }
  for (int place = 0; place < leaders->here->size; place++) {
    int to = rank_on_node(leaders, leaders->node, place);
    if (to == from)
      continue;
    error = worse(error, between_send(leaders, broadcast->message, to, BETWEEN_PARTS, &request));
    error = worse(error, between_wait(leaders, 1, &request, to));
  }
  return error;
}

/* As on one node. */
static int spread_here(const struct broadcast *broadcast, int from) {
  struct collective collective = collective_begin(broadcast->leaders->here);
  const struct seat *seat = &collective.communicator->seat;
  unsigned place = 0;
  while (rank_on_node(broadcast->leaders, broadcast->leaders->node, (int)place) != from)
    place++;
  const struct slot *slot;
  collective.is_rooted = true;
  if (seat->place == place) {
    publish_part(&collective, &broadcast->part, PUBLISH_TO_ALL);
    slot = slot_at(seat, place);
  } else {
    slot = hear(&collective, place);
    take_part(&collective, slot, place, &broadcast->part);
  }
  return collective_end_of_root(&collective, place, slot->kind) ? tell_here(broadcast, from) : collective.error;
}

static int broadcast_all(struct broadcast *broadcast) {
  const struct leaders *leaders = broadcast->leaders;
  bool of_root = leaders->node == leaders->nodes->of[broadcast->root];
  int from = of_root ? broadcast->root : rank_on_node(leaders, leaders->node, 0), error = MPI_SUCCESS;
  if (leaders->communicator->rank == from)
    error = pass_on(broadcast);
  if (leaders->here->size > 1)
    error = worse(error, spread_here(broadcast, from));
  return worse(error, between_wait(leaders, broadcast->children, broadcast->sends, from));
}

/* Entered by collectives/, as all functions of this room. False: the call is MPI's. */
static bool lead_broadcast(MPI_Comm comm, struct message message, int root, int *error) {
  struct leaders *leaders = leaders_find(comm, CALL_BCAST);
  struct layout *layout = leaders ? layout_find(message.datatype) : NULL;
  if (!part_is_valid(message.buffer, message.count, layout) || (unsigned)root >= (unsigned)leaders->communicator->size)
    return false;
  size_t bytes = (size_t)message.count * layout->size;
  if (bytes == 0 || is_left_to_library(leaders->communicator, counted_broadcast(bytes)) ||
      !model_takes_broadcast(leaders, bytes))
    return false;
  struct broadcast broadcast = {.leaders = leaders, .message = message, .root = root};
  broadcast.part = part_of(message.buffer, (size_t)message.count, layout);
  *error = between_raise(leaders, broadcast_all(&broadcast));
  part_release(&broadcast.part);
  return true;
}

#define COUNTED "leaders/broadcast_calls.h"
#include "point_to_point/counted.h"
