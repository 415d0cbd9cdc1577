/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What each member has for each other one. Parts for members on this node go as in a collective of them; short ones for
 * members elsewhere by leaders, in a letter from one leader to one of each other node; long ones from who has them to
 * whose they are. Which is which who has them says, so that members whose parts differ need not agree; nobody is sent
 * what no letter has told of.
 */
#include "base/copy.h"
#include "leaders/between.h"
#include "leaders/boxes.h"
#include "leaders/model.h"
#include "leaders/served.h"
#include "members/aliases.h"
#include "members/sides.h"

#include <string.h>

enum giving { TO_ALL_OTHERS, TO_EACH_OTHER };

struct exchange {
  struct leaders *leaders;
  struct boxes *boxes;
  enum giving giving;
  int stripes;  /* leaders of each node: the one at place k speaks for those at places k modulo their number */
  size_t limit; /* bytes of the longest part that goes by leaders */
  const struct part *send;    /* one, or one of each member; NULL: MPI is to look at this member's arguments */
  const struct part *receive; /* of each member */
  const struct side *send_side, *receive_side; /* the same, of TO_EACH_OTHER */
  bool *is_direct;                             /* of each member: its part does not come by leaders */
  bool refused;                                /* any member, as far as is heard: all do it by MPI */
  bool failed_here;                            /* the kernel has refused what members on this node left to it */
  bool lost;                                   /* MPI has not brought a letter to this member */
  int error;
};

static bool leads(const struct exchange *exchange) { return exchange->leaders->here->rank < exchange->stripes; }

/* How many parts a bundle for a node has, and which is that of a member on it. */
static int parts_for(const struct exchange *exchange, int node) {
  return exchange->giving == TO_ALL_OTHERS ? 1 : node_size(exchange->leaders, node);
}
static int own_part(const struct exchange *exchange) {
  return exchange->giving == TO_ALL_OTHERS ? 0 : exchange->leaders->here->rank;
}

/* ---- Bundles. ---- */

static size_t part_size(uint32_t bytes) { return bytes == PART_IS_DIRECT ? 0 : bytes; }

/* The bytes of the first parts of a bundle. */
static size_t sum_of_parts(const uint32_t *bytes, int parts) {
  size_t sum = 0;
  for (int i = 0; i < parts; i++)
    sum += part_size(bytes[i]);
  return sum;
}

static size_t bundle_bytes(const char *bundle, int parts) {
  size_t bytes = sizeof(uint32_t) * (size_t)parts + sum_of_parts((const uint32_t *)bundle, parts);
  return (bytes + sizeof(uint32_t) - 1) & ~(sizeof(uint32_t) - 1);
}

static void write_bundle(const struct exchange *exchange, char *bundle, int node) {
  int parts = parts_for(exchange, node);
  uint32_t *bytes = (uint32_t *)bundle;
  char *data = bundle + sizeof(uint32_t) * (size_t)parts;
  for (int i = 0; i < parts; i++) {
    int to = exchange->giving == TO_ALL_OTHERS ? 0 : rank_on_node(exchange->leaders, node, i);
    const struct part *part = &exchange->send[to];
    bool is_direct = part->bytes > exchange->limit;
    bytes[i] = is_direct ? PART_IS_DIRECT : (uint32_t)part->bytes;
    if (!is_direct)
      part_pack(part, data);
    data += part_size(bytes[i]);
  }
}

/* Where in an outbox the bundle for a node is. */
static size_t bundle_of(const struct exchange *exchange, int node) {
  return exchange->giving == TO_ALL_OTHERS ? 0 : bundle_at(exchange->leaders, node);
}

static void fill_outbox(const struct exchange *exchange) {
  const struct leaders *leaders = exchange->leaders;
  if (exchange->giving == TO_ALL_OTHERS) {
    write_bundle(exchange, exchange->boxes->out, leaders->node);
    return;
  }
  for (int node = 0; node < leaders->nodes->count; node++)
    if (node != leaders->node)
      write_bundle(exchange, exchange->boxes->out + bundle_at(leaders, node), node);
}

/* ---- Letters. ---- */

static char *inbox_letter(const struct exchange *exchange, int from, int leader) {
  return exchange->boxes->in_of[leader] + letter_at(exchange->leaders, from, exchange->leaders->node, leader);
}

static size_t write_letter(const struct exchange *exchange, char *letter, int node) {
  const struct leaders *leaders = exchange->leaders;
  char *to = letter + sizeof(struct letter);
  int parts = parts_for(exchange, node);
  *(struct letter *)letter = (struct letter){(uint32_t)exchange->stripes, exchange->refused};
  for (int i = leaders->here->rank; i < leaders->here->size && !exchange->refused; i += exchange->stripes) {
    const char *bundle = exchange->boxes->out_of[i] + bundle_of(exchange, node);
    size_t bytes = bundle_bytes(bundle, parts);
    copy_bytes(to, bundle, bytes);
    to += bytes;
  }
  return (size_t)(to - letter);
}

static size_t fitting_part(struct exchange *exchange, size_t bytes, const struct part *part) {
  if (bytes > part->bytes)
    exchange->error = MPI_ERR_TRUNCATE;
  return bytes > part->bytes ? part->bytes : bytes;
}

/* Takes the own parts of a letter out of it. */
static void read_letter(struct exchange *exchange, int from, int leader) {
  const char *letter = inbox_letter(exchange, from, leader), *bundle = letter + sizeof(struct letter);
  const struct letter *head = (const struct letter *)letter;
  int parts = parts_for(exchange, exchange->leaders->node), own = own_part(exchange);
  exchange->refused |= head->refused != 0;
  if (exchange->refused || !exchange->receive)
    return;
  if (head->stripes != (uint32_t)exchange->stripes) { /* members' arguments are not alike, as they must be */
    exchange->error = MPI_ERR_ARG;
    return;
  }
  for (int i = leader; i < node_size(exchange->leaders, from); i += exchange->stripes) {
    int rank = rank_on_node(exchange->leaders, from, i);
    const uint32_t *bytes = (const uint32_t *)bundle;
    const char *data = bundle + sizeof(uint32_t) * (size_t)parts + sum_of_parts(bytes, own);
    const struct part *part = &exchange->receive[rank];
    exchange->is_direct[rank] = bytes[own] == PART_IS_DIRECT;
    if (!exchange->is_direct[rank])
      part_unpack(part, data, fitting_part(exchange, bytes[own], part));
    bundle += bundle_bytes(bundle, parts);
  }
}

/* A leader's requests: one for each other node. */
static void start_receiving_letters(struct exchange *exchange, MPI_Request requests[]) {
  const struct leaders *leaders = exchange->leaders;
  int own = leaders->here->rank;
  boxes_await_readers(exchange->leaders);
  for (int node = 0; node < leaders->nodes->count; node++) {
    requests[node] = MPI_REQUEST_NULL;
    if (node != leaders->node) {
      struct message message =
          message_of_bytes(inbox_letter(exchange, node, own), letter_room(leaders, node, leaders->node, own));
      int error = between_receive(leaders, message, rank_on_node(leaders, node, own), BETWEEN_BOXES, &requests[node]);
      exchange->lost |= error != MPI_SUCCESS;
    }
  }
}

/* Once all members here have been heard. */
static void start_sending_letters(struct exchange *exchange, MPI_Request requests[]) {
  const struct leaders *leaders = exchange->leaders;
  char *letter = exchange->boxes->outgoing;
  int own = leaders->here->rank;
  for (int node = 0; node < leaders->nodes->count; node++) {
    requests[node] = MPI_REQUEST_NULL;
    if (node != leaders->node) {
      struct message message = message_of_bytes(letter, write_letter(exchange, letter, node));
      int error = between_send(leaders, message, rank_on_node(leaders, node, own), BETWEEN_BOXES, &requests[node]);
      exchange->error = worse(exchange->error, error);
      letter += letter_room(leaders, leaders->node, node, own);
    }
  }
}

/* ---- On the node. ---- */

static void publish_here(const struct exchange *exchange, struct collective *collective) {
  const struct leaders *leaders = exchange->leaders;
  if (!exchange->send) {
    publish_refusal(collective);
    return;
  }
  fill_outbox(exchange);
  if (exchange->giving == TO_ALL_OTHERS) {
    publish_part(collective, exchange->send, PUBLISH_TO_ALL);
    return;
  }
  struct part parts[leaders->here->size];
  for (int i = 0; i < leaders->here->size; i++)
    parts[i] = exchange->send[rank_on_node(leaders, leaders->node, i)];
  publish_parts(collective, parts);
}

static void hear_here(struct exchange *exchange, struct collective *collective) {
  const struct seat *seat = &collective->communicator->seat;
  for (unsigned i = 0; i < seat->members; i++)
    if (i != seat->place)
      hear(collective, i);
  exchange->refused = collective->by_mpi;
}

static void take_here(const struct exchange *exchange, struct collective *collective) {
  const struct seat *seat = &collective->communicator->seat;
  const struct leaders *leaders = exchange->leaders;
  int rank = leaders->communicator->rank;
  const struct part *own = exchange->giving == TO_ALL_OTHERS ? exchange->send : &exchange->send[rank];
  if (own != &exchange->receive[rank] && !part_copy(&exchange->receive[rank], own))
    collective->error = MPI_ERR_TRUNCATE;
  for (unsigned i = 1; i < seat->members; i++) {
    unsigned from = (seat->place + i) % seat->members;
    const struct part *part = &exchange->receive[rank_on_node(leaders, leaders->node, (int)from)];
    const struct slot *slot = slot_look(seat, from);
    if (exchange->giving == TO_ALL_OTHERS)
      take_part(collective, slot, from, part);
    else
      take_own_part(collective, slot, from, part);
  }
}

/* The first epoch: parts on the node, and what leaders are to bring. A leader starts to send that. */
static void meet_here(struct exchange *exchange, MPI_Request sends[]) {
  struct collective collective = collective_begin(exchange->leaders->here);
  publish_here(exchange, &collective);
  hear_here(exchange, &collective);
  if (leads(exchange))
    start_sending_letters(exchange, sends);
  if (!exchange->refused)
    take_here(exchange, &collective);
  bool by_mpi = collective_end_of_all(&collective, false, false);
  exchange->failed_here = by_mpi && !exchange->refused;
  exchange->error = worse(exchange->error, collective.error);
}

/* The second: what leaders have brought. */
static void read_inboxes(struct exchange *exchange, MPI_Request receives[]) {
  const struct leaders *leaders = exchange->leaders;
  struct collective collective = collective_begin(leaders->here);
  int nodes = leaders->nodes->count;
  collective.is_rooted = true;
  if (leads(exchange)) {
    int peer = rank_on_node(leaders, leaders->node == 0, leaders->here->rank);
    exchange->lost |= between_wait(leaders, nodes, receives, peer) != MPI_SUCCESS;
    struct slot *slot = own_slot(&collective);
    *(uint32_t *)slot->payload = !exchange->lost;
    exchange->boxes->told = collective.communicator->seat.epoch;
    publish_slot(&collective, slot, SLOT_DATA, sizeof(uint32_t));
  }
  for (int leader = 0; leader < exchange->stripes; leader++) {
    const struct slot *slot = leader == leaders->here->rank ? slot_at(&leaders->here->seat, (unsigned)leader)
                                                            : hear(&collective, (unsigned)leader);
    bool brought = *(const uint32_t *)slot->payload;
    if (!brought)
      exchange->error = worse(MPI_ERR_OTHER, exchange->error);
    for (int node = 0; node < nodes && brought; node++)
      if (node != leaders->node)
        read_letter(exchange, node, leader);
  }
  epoch_end(&collective.communicator->seat);
}

/* ---- Parts that go by themselves. ---- */

static struct message message_of_part(const struct side *side, int rank) {
  MPI_Datatype datatype = side->form == DATATYPES ? side->datatypes[rank] : side->datatype;
  MPI_Aint unit = side->form == DATATYPES ? 1 : layout_find(datatype)->extent;
  MPI_Count count = count_of(side, (unsigned)rank);
  return (struct message){displaced(side->buffer, displacement_of(side, (unsigned)rank) * unit), count, datatype};
}

static bool is_sent(const struct exchange *exchange, int rank) {
  const struct leaders *leaders = exchange->leaders;
  if (leaders->nodes->of[rank] == leaders->node)
    return exchange->failed_here && rank != leaders->communicator->rank;
  return exchange->send[rank].bytes > exchange->limit;
}
static bool is_received(const struct exchange *exchange, int rank) {
  const struct leaders *leaders = exchange->leaders;
  if (leaders->nodes->of[rank] == leaders->node)
    return exchange->failed_here && rank != leaders->communicator->rank;
  return exchange->is_direct[rank];
}

static void exchange_directly(struct exchange *exchange) {
  const struct leaders *leaders = exchange->leaders;
  int size = leaders->communicator->size, rank = leaders->communicator->rank, count = 0, peer = rank, error;
  MPI_Request requests[2 * size];
  for (int i = 1; i < size; i++) {
    int from = (rank + size - i) % size;
    if (is_received(exchange, from)) {
      struct message message = message_of_part(exchange->receive_side, from);
      error = between_receive(leaders, message, peer = from, BETWEEN_PARTS, &requests[count++]);
      exchange->error = worse(exchange->error, error);
    }
  }
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size;
    if (is_sent(exchange, to)) {
      struct message message = message_of_part(exchange->send_side, to);
      error = between_send(leaders, message, peer = to, BETWEEN_PARTS, &requests[count++]);
      exchange->error = worse(exchange->error, error);
    }
  }
  exchange->error = worse(exchange->error, between_wait(leaders, count, requests, peer));
}

/* ---- All of it. ---- */

/* True: it is MPI's after all, for all members. */
static bool exchange_all(struct exchange *exchange) {
  const struct leaders *leaders = exchange->leaders;
  int nodes = leaders->nodes->count;
  MPI_Request receives[nodes], sends[nodes];
  if (leads(exchange))
    start_receiving_letters(exchange, receives);
  meet_here(exchange, sends);
  read_inboxes(exchange, receives);
  if (leads(exchange))
    exchange->error = worse(exchange->error, between_wait(leaders, nodes, sends, leaders->communicator->rank));
  if (exchange->refused)
    return true;
  if (exchange->giving == TO_EACH_OTHER)
    exchange_directly(exchange);
  return false;
}

/* Entered by collectives/. `bytes`: of each part, where members know that alike; else SIZE_UNKNOWN. False: the call is
 * MPI's. So it is where both buffers are one, which some libraries refuse. */
static bool lead_exchange(struct leaders *leaders, size_t bytes, const struct side *send, const struct side *receive,
                          int *error) {
  int stripes = model_leaders(leaders, bytes);
  struct boxes *boxes = stripes > 0 ? boxes_find(leaders) : NULL;
  if (!boxes)
    return false;
  size_t limit = model_part_limit(leaders, stripes);
  limit = limit < boxes->part_bytes ? limit : boxes->part_bytes;
  if (bytes != SIZE_UNKNOWN && bytes > limit)
    return false;
  unsigned members = (unsigned)leaders->communicator->size;
  struct part sent[members], received[members];
  bool is_direct[members];
  memset(is_direct, 0, sizeof is_direct);
  bool may_send = send->buffer != receive->buffer && find_parts(send, sent, members);
  bool may_receive = may_send && find_parts(receive, received, members);
  struct exchange exchange = {.leaders = leaders,
                              .boxes = boxes,
                              .giving = TO_EACH_OTHER,
                              .stripes = stripes,
                              .limit = limit,
                              .send = may_receive ? sent : NULL,
                              .receive = may_receive ? received : NULL,
                              .send_side = send,
                              .receive_side = receive,
                              .is_direct = is_direct};
  bool by_mpi = (!may_receive && are_wrong(send, members, receive, members)) || exchange_all(&exchange);
  if (may_send)
    release_parts(sent, members);
  if (may_receive)
    release_parts(received, members);
  *error = by_mpi ? MPI_SUCCESS : between_raise(leaders, exchange.error);
  return !by_mpi;
}

/* Of what each has for all. */
static bool lead_gathering(struct leaders *leaders, size_t bytes, const struct side *send, const struct side *receive,
                           int *error) {
  int stripes = model_gathering_leaders(leaders);
  struct boxes *boxes = stripes > 0 && bytes <= leaders->short_bytes ? boxes_find(leaders) : NULL;
  if (!boxes || bytes + 2 * sizeof(uint32_t) > bundle_room(boxes, leaders->nodes->least))
    return false;
  unsigned members = (unsigned)leaders->communicator->size;
  struct part received[members], sent;
  bool is_direct[members], in_place = send->buffer == MPI_IN_PLACE;
  bool may_send = in_place || (send->buffer != receive->buffer && find_part(send, 0, &sent));
  bool may_receive = may_send && find_parts(receive, received, members);
  if (may_send && in_place && may_receive)
    sent = received[leaders->communicator->rank];
  bool fits = may_receive && sent.bytes <= bytes;
  struct exchange exchange = {.leaders = leaders,
                              .boxes = boxes,
                              .giving = TO_ALL_OTHERS,
                              .stripes = stripes,
                              .limit = bytes,
                              .send = fits ? &sent : NULL,
                              .receive = fits ? received : NULL,
                              .is_direct = is_direct};
  bool by_mpi = (!may_receive && are_wrong(send, 1, receive, members)) || exchange_all(&exchange);
  if (may_send && !in_place)
    part_release(&sent);
  if (may_receive)
    release_parts(received, members);
  *error = by_mpi ? MPI_SUCCESS : between_raise(leaders, exchange.error);
  return !by_mpi;
}

/* ---- What all members know alike. ---- */

/* Of the parts of a side; false: MPI refuses them. The datatype may be one that takes no memory. */
static bool find_longest(const struct side *side, unsigned count, size_t *longest) {
  struct layout *layout = layout_find(side->datatype);
  *longest = 0;
  if (!layout || (side->form != SAME && !side->counts))
    return false;
  for (unsigned i = 0; i < count; i++) {
    MPI_Count n = count_of(side, i);
    if (n < 0)
      return false;
    size_t bytes = (size_t)n * layout->size;
    *longest = bytes > *longest ? bytes : *longest;
  }
  return true;
}

/* False: the call is MPI's, as in all functions below. */
static bool exchange_alike(enum call call, MPI_Comm comm, const struct side *send, const struct side *receive,
                           int *error) {
  if (is_refused_exchange(comm, send, receive))
    return false;
  struct leaders *leaders = leaders_find(comm, call);
  size_t bytes;
  return leaders && send->buffer != MPI_IN_PLACE && find_longest(send, 1, &bytes) && bytes > 0 &&
         lead_exchange(leaders, bytes, send, receive, error);
}

static bool exchange_any(enum call call, MPI_Comm comm, const struct side *send, const struct side *receive,
                         int *error) {
  if (is_refused_exchange(comm, send, receive))
    return false;
  struct leaders *leaders = leaders_find(comm, call);
  return leaders && send->buffer != MPI_IN_PLACE && lead_exchange(leaders, SIZE_UNKNOWN, send, receive, error);
}

static bool gather_from_all_members(enum call call, MPI_Comm comm, const struct side *send, const struct side *receive,
                                    int *error) {
  if (is_refused_gather(comm, ANY_ROOT, send, receive))
    return false;
  struct leaders *leaders = leaders_find(comm, call);
  size_t bytes;
  return leaders && find_longest(receive, (unsigned)leaders->communicator->size, &bytes) && bytes > 0 &&
         lead_gathering(leaders, bytes, send, receive, error);
}

#define COUNTED "leaders/exchange_calls.h"
#include "point_to_point/counted.h"
