/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: receives of messages that a matched probe has found.
 */
#include "messages/receiving.h"
#include "mpishm.h"
#include "next/next.h"
#include "requests/message_handles.h"
#include "requests/requests.h"
#include "watch/enter.h"

/* The message of a handle, and the way to receive it. NULL: the call is MPI's, to do or to refuse. */
static struct held_message *find_held(struct route *route, const void *buf, MPI_Count count, MPI_Datatype datatype,
                                      const MPI_Message *message) {
  struct held_message *held = message ? message_find(*message) : NULL;
  struct layout *layout = held && count >= 0 ? layout_find(datatype) : NULL;
  if (!layout)
    return NULL;
  struct communicator *communicator = held->communicator;
  *route = (struct route){communicator, &mpishm.endpoints[communicator->node_rank[held->source]], layout,
                          (size_t)count * layout->size};
  return !buf && !layout_takes_null(layout) && route->bytes ? NULL : held;
}

static void start_held(struct operation *op, struct held_message *held, struct route route, void *buf, MPI_Count count,
                       MPI_Message *message) {
  int source = held->source;
  *message = MPI_MESSAGE_NULL;
  receive_held(op, route, envelope_of(route.communicator, held->message->envelope.tag), buf, count, source,
               held->message);
  message_release(held);
}

/* Entered already. False when the call is MPI's; then it is left to MPI. */
static bool mrecv(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status,
                  int *error) {
  struct route route;
  struct operation op;
  struct held_message *held = find_held(&route, buf, count, datatype, message);
  if (!held) {
    runtime_unlock();
    return false;
  }
  operation_init(&op);
  start_held(&op, held, route, buf, count, message);
  *error = operation_complete(&op, ERROR_IN_COMPLETIONS, status);
  runtime_leave();
  return true;
}

/* The same. */
static bool imrecv(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request,
                   int *error) {
  struct route route;
  struct held_message *held = request ? find_held(&route, buf, count, datatype, message) : NULL;
  if (!held) {
    runtime_unlock();
    return false;
  }
  struct operation *op = request_new();
  *error = op ? MPI_SUCCESS : MPI_ERR_NO_MEM;
  MPI_Comm comm = held->communicator->handle;
  if (op) {
    start_held(op, held, route, buf, count, message);
    *request = op->handle;
  }
  runtime_leave();
  if (!op)
    raise_no_memory(comm == MPI_COMM_NULL ? MPI_COMM_SELF : comm);
  return true;
}

#define COUNTED "point_to_point/matched_calls.h"
#include "point_to_point/counted.h"
