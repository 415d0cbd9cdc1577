/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "members/parcels.h"
#include "messages/receiving.h"
#include "messages/sending.h"

/* They are those of a communicator that is not the program's. The tag says which communicator a parcel is about. */
static struct communicator no_program = {.context = CONTEXT_OWN, .references = 1};

static struct route route_of(const struct communicator *communicator, unsigned member, const struct part *part) {
  struct endpoint *endpoint = endpoint_opened(communicator->node_rank[member]);
  no_program.handle = mpishm.node;
  no_program.errhandler = MPI_ERRHANDLER_NULL;
  no_program.waiting_tail = &no_program.waiting;
  return (struct route){&no_program, endpoint, part->layout, part->bytes};
}

/* Contexts are even, and not 0: the tags of both kinds are apart, and none is TAG_ANY. */
struct envelope parcel_envelope(uint32_t context, enum parcel_kind kind) {
  int32_t tag = (int32_t)(context >> 1);
  if (kind == PARCELS_OF_CALLS)
    return (struct envelope){CONTEXT_OWN, tag};
  return (struct envelope){CONTEXT_OWN | (unrewritten.site ? CONTEXT_UNREWRITTEN : 0), ~tag};
}

struct envelope parcel_envelope_of_call(const struct communicator *communicator) {
  _Static_assert(CALL_SEND == 0, "no collective has the context of the others");
  return (struct envelope){CONTEXT_OWN + communicator->call, (int32_t)(communicator->context >> 1)};
}

bool parcel_send_with(struct operation *op, const struct communicator *communicator, unsigned to,
                      const struct part *part, struct envelope envelope, size_t limit) {
  struct route route = route_of(communicator, to, part);
  MPI_Count count = (MPI_Count)part->count;
  if (send_eager(route, envelope, part->buffer, count, SEND_STANDARD, limit))
    return false;
  send_start(op, route, envelope, part->buffer, count, communicator->node_rank[to], SEND_STANDARD);
  return true;
}

bool parcel_send(struct operation *op, const struct communicator *communicator, unsigned to, const struct part *part) {
  operation_init(op);
  return parcel_send_with(op, communicator, to, part, parcel_envelope(communicator->context, PARCELS_OF_CALLS),
                          mpishm.eager_limit);
}

void parcel_receive_with(struct operation *op, const struct communicator *communicator, unsigned from,
                         const struct part *part, struct envelope envelope) {
  receive_start(op, route_of(communicator, from, part), envelope, part->buffer, (MPI_Count)part->count,
                MPI_DATATYPE_NULL, communicator->node_rank[from], &unrewritten);
}

void parcel_receive(struct operation *op, const struct communicator *communicator, unsigned from,
                    const struct part *part) {
  operation_init(op);
  parcel_receive_with(op, communicator, from, part, parcel_envelope(communicator->context, PARCELS_OF_CALLS));
}

int parcel_finish(struct operation *op) {
  int error = op->error;
  operation_clear(op);
  operation_destroy(op);
  return error;
}

void parcel_await(struct operation *op, const struct communicator *communicator, unsigned member) {
  struct waiter waiter = {0};
  while (!op->done && !operation_try(op)) /* another thread of this rank may end it */
    collective_pause(&waiter, communicator, member);
}

int parcel_complete(struct operation *op, const struct communicator *communicator, unsigned member) {
  if (UNLIKELY(mpishm.watching))
    watch_member(communicator->handle, rank_of_member(communicator, member));
  operation_wait(op);
  return parcel_finish(op);
}
