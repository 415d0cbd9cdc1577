/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Short reductions whose bits are the same in any order: of a node by the one who speaks for it, then of the nodes.
 */
#include "leaders/between.h"
#include "leaders/meeting.h"
#include "leaders/model.h"
#include "leaders/served.h"
#include "members/aliases.h"
#include "reductions/reduce.h"

/* What travels: a value, and whether its bits are in doubt. */
struct value {
  uint64_t doubt;
  unsigned char elements[];
};

struct reducing {
  struct leaders *leaders;
  const struct reduction *reduction;
  size_t count, bytes;
  const void *mine;
  void *result; /* NULL: nobody wants it of this member */
  struct value *value, *other;
};

static void combine_value(const struct reducing *reducing, const void *elements, uint64_t doubt) {
  reducing->value->doubt |= doubt;
  reducing->value->doubt |= reducing->reduction->combine(reducing->value->elements, elements, reducing->count);
}

static struct message message_of_value(const struct reducing *reducing, const struct value *value) {
  return message_of_bytes(value, sizeof *value + reducing->bytes);
}

/* ---- On the node. ---- */

static void begin_value(struct reducing *reducing) {
  reducing->value->doubt = 0;
  copy_bytes(reducing->value->elements, reducing->mine, reducing->bytes);
}

static void publish_value(struct collective *collective, const struct value *value, size_t bytes) {
  struct slot *slot = own_slot(collective);
  struct value *published = (struct value *)slot->payload;
  published->doubt = value->doubt;
  copy_bytes(published->elements, value->elements, bytes);
  publish_slot(collective, slot, SLOT_DATA, sizeof *value + bytes);
}

static void combine_here(const struct reducing *reducing, struct collective *collective) {
  const struct seat *seat = &collective->communicator->seat;
  for (unsigned i = 0; i < seat->members; i++)
    if (i != seat->place)
      combine_value(reducing, ((const struct value *)hear(collective, i)->payload)->elements, 0);
}

/* ---- Between nodes. ---- */

static int send_value(const struct reducing *reducing, int node) {
  const struct leaders *leaders = reducing->leaders;
  MPI_Request request;
  int to = rank_on_node(leaders, node, 0);
  int error = between_send(leaders, message_of_value(reducing, reducing->value), to, BETWEEN_REDUCTIONS, &request);
  return worse(error, between_wait(leaders, 1, &request, to));
}

static int receive_value(const struct reducing *reducing, int node, struct value *into) {
  const struct leaders *leaders = reducing->leaders;
  MPI_Request request;
  int from = rank_on_node(leaders, node, 0);
  int error = between_receive(leaders, message_of_value(reducing, into), from, BETWEEN_REDUCTIONS, &request);
  return worse(error, between_wait(leaders, 1, &request, from));
}

/* By recursive doubling among as many nodes as are a power of two; each of the others is one's of these. All come to
 * the same doubts: those that exchange combine the same two values. */
static int combine_all_nodes(const struct reducing *reducing) {
  const struct leaders *leaders = reducing->leaders;
  int count = leaders->nodes->count, node = leaders->node, power = 1, error = MPI_SUCCESS;
  while (power * 2 <= count)
    power *= 2;
  if (node >= power) {
    error = send_value(reducing, node - power);
    return worse(error, receive_value(reducing, node - power, reducing->value));
  }
  if (node + power < count) {
    error = receive_value(reducing, node + power, reducing->other);
    combine_value(reducing, reducing->other->elements, reducing->other->doubt);
  }
  for (int mask = 1; mask < power; mask *= 2) {
    int peer = rank_on_node(leaders, node ^ mask, 0);
    error = worse(error, between_exchange(leaders, message_of_value(reducing, reducing->value), peer,
                                          message_of_value(reducing, reducing->other), peer, BETWEEN_REDUCTIONS));
    combine_value(reducing, reducing->other->elements, reducing->other->doubt);
  }
  return node + power < count ? worse(error, send_value(reducing, node + power)) : error;
}

/* A binomial tree of nodes, to that of the root, which speaks for it; for who speaks for this one. */
static int combine_to_root(const struct reducing *reducing, int root) {
  const struct leaders *leaders = reducing->leaders;
  int count = leaders->nodes->count, of_root = leaders->nodes->of[root], error = MPI_SUCCESS, mask;
  int distance = (leaders->node + count - of_root) % count;
  for (mask = 1; mask < count && !(distance & mask); mask *= 2)
    if (distance + mask < count) {
      error = worse(error, receive_value(reducing, (of_root + distance + mask) % count, reducing->other));
      combine_value(reducing, reducing->other->elements, 0);
    }
  if (distance == 0)
    return error;
  MPI_Request request;
  int parent = distance - mask, to = parent == 0 ? root : rank_on_node(leaders, (of_root + parent) % count, 0);
  error = worse(error,
                between_send(leaders, message_of_value(reducing, reducing->value), to, BETWEEN_REDUCTIONS, &request));
  return worse(error, between_wait(leaders, 1, &request, to));
}

/* ---- Both. ---- */

/* True: the bits are in doubt, for all members, and the result is as it was. */
static bool reduce_all_nodes(struct reducing *reducing, int *error) {
  struct collective collective = collective_begin(reducing->leaders->here);
  const struct value *value = reducing->value;
  begin_value(reducing);
  if (is_leader(&collective)) {
    combine_here(reducing, &collective);
    *error = combine_all_nodes(reducing);
    publish_value(&collective, value, reducing->bytes);
  } else {
    publish_value(&collective, value, reducing->bytes);
    value = (const struct value *)hear(&collective, LEADER)->payload;
  }
  bool doubt = value->doubt;
  if (!doubt && reducing->result)
    copy_bytes(reducing->result, value->elements, reducing->bytes);
  meeting_end(&collective);
  return doubt;
}

/* Of values that decide nothing. Members that speak for nobody only give. */
static int reduce_to_root(struct reducing *reducing, int root) {
  const struct leaders *leaders = reducing->leaders;
  struct collective collective = collective_begin(leaders->here);
  bool of_root = leaders->node == leaders->nodes->of[root];
  int rank = leaders->communicator->rank, error = MPI_SUCCESS;
  collective.is_rooted = true;
  begin_value(reducing);
  if (rank == (of_root ? root : rank_on_node(leaders, leaders->node, 0))) {
    combine_here(reducing, &collective);
    epoch_end(&collective.communicator->seat);
    error = combine_to_root(reducing, root);
    if (reducing->result)
      copy_bytes(reducing->result, reducing->value->elements, reducing->bytes);
  } else {
    publish_value(&collective, reducing->value, reducing->bytes);
    epoch_end(&collective.communicator->seat);
  }
  return error;
}

/* The operation, or NULL where the call is MPI's. Of what all members pass alike. */
static const struct reduction *find_led_reduction(const struct leaders *leaders, MPI_Count count, MPI_Datatype datatype,
                                                  MPI_Op op) {
  const struct reduction *reduction = leaders && count > 0 ? reduction_find(op, datatype) : NULL;
  if (!reduction || reduction->only_of_two)
    return NULL;
  size_t room = leaders->short_bytes - sizeof(struct value);
  return (size_t)count <= room / reduction->bytes ? reduction : NULL;
}

enum { TO_ALL_MEMBERS = -1 };

/* False: the call is MPI's. */
static bool lead_reduction(MPI_Comm comm, const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                           MPI_Op op, int root, int *error) {
  if (root == TO_ALL_MEMBERS ? is_refused_reduction(sendbuf, recvbuf, count)
                             : UNLIKELY(sendbuf == recvbuf) && is_refused_at(comm, root, count))
    return false;
  struct leaders *leaders = leaders_find(comm, root == TO_ALL_MEMBERS ? CALL_ALLREDUCE : CALL_REDUCE);
  enum counted kind = root == TO_ALL_MEMBERS ? COUNTED_ALLREDUCE : COUNTED_REDUCE;
  if (leaders && is_reduction_left_to_library(leaders->communicator, kind, count, datatype, op))
    return false;
  const struct reduction *reduction = find_led_reduction(leaders, count, datatype, op);
  if (!reduction || (root != TO_ALL_MEMBERS && (unsigned)root >= (unsigned)leaders->communicator->size))
    return false;
  bool wants = root == TO_ALL_MEMBERS || root == leaders->communicator->rank, doubt = false;
  if (wants ? !are_buffers(sendbuf, recvbuf) : !sendbuf || sendbuf == MPI_IN_PLACE)
    return false;
  size_t bytes = (size_t)count * reduction->bytes, words = (sizeof(struct value) + bytes + 7) / 8;
  uint64_t value[words], other[words];
  struct reducing reducing = {leaders,
                              reduction,
                              (size_t)count,
                              bytes,
                              sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf,
                              wants ? recvbuf : NULL,
                              (struct value *)value,
                              (struct value *)other};
  if (root == TO_ALL_MEMBERS || reduction->doubtful)
    doubt = reduce_all_nodes(&reducing, error);
  else
    *error = reduce_to_root(&reducing, root);
  between_raise(leaders, *error);
  return !doubt;
}

#define COUNTED "leaders/reductions_calls.h"
#include "point_to_point/counted.h"
