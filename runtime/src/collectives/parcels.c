/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "collectives/parcels.h"
#include "messages/receiving.h"
#include "messages/sending.h"

/* They are those of a communicator that is not the program's. The tag says which communicator a parcel is about. */
static struct communicator own = {.context = CONTEXT_OWN, .references = 1};

static struct route route_of(const struct communicator *communicator, unsigned member, const struct part *part) {
  int node_rank = communicator->node_rank[member];
  struct endpoint *endpoint = &mpishm.endpoints[node_rank];
  own.handle = mpishm.node;
  own.errhandler = MPI_ERRHANDLER_NULL;
  own.waiting_tail = &own.waiting;
  if (!endpoint->segment)
    endpoint_open(endpoint, node_rank);
  return (struct route){&own, endpoint, part->layout, part->bytes};
}

static struct envelope envelope_about(const struct communicator *communicator) {
  return (struct envelope){CONTEXT_OWN, (int32_t)(communicator->context >> 1)}; /* contexts are even */
}

bool parcel_send(struct operation *op, const struct communicator *communicator, unsigned to, const struct part *part) {
  struct route route = route_of(communicator, to, part);
  struct envelope envelope = envelope_about(communicator);
  MPI_Count count = (MPI_Count)part->count;
  if (send_eager(route, envelope, part->buffer, count, SEND_STANDARD, mpishm.eager_limit))
    return false;
  operation_init(op);
  send_start(op, route, envelope, part->buffer, count, communicator->node_rank[to], SEND_STANDARD);
  return true;
}

void parcel_receive(struct operation *op, const struct communicator *communicator, unsigned from,
                    const struct part *part) {
  operation_init(op);
  receive_start(op, route_of(communicator, from, part), envelope_about(communicator), part->buffer,
                (MPI_Count)part->count, MPI_DATATYPE_NULL, communicator->node_rank[from]);
}

int parcel_finish(struct operation *op) {
  int error = op->error;
  operation_clear(op);
  operation_destroy(op);
  return error;
}

int parcel_complete(struct operation *op, const struct communicator *communicator, unsigned member) {
  if (UNLIKELY(mpishm.watching))
    watch_member(communicator->handle, (int)member);
  operation_wait(op);
  return parcel_finish(op);
}
