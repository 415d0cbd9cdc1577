/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The receive side of a message.
 */
#ifndef MPISHM_RECEIVING_H
#define MPISHM_RECEIVING_H

#include "messages/operations.h"
#include "messages/through_mpi.h"
#include "node/program_heap.h"

/* A message meets its receive (channel.h). */
void receive_arrive(struct receive *receive, const struct arrival *arrival, bool crosses);
/* Starts a receive. The datatype is the program's, or MPI_DATATYPE_NULL where that may be freed already: a persistent
 * request's. `by`: whose it is, where its envelope says that it is of no rewritten call. */
void receive_start(struct operation *op, struct route route, struct envelope envelope, void *buffer, MPI_Count count,
                   MPI_Datatype datatype, int source, const struct origin *by);
/* What posting any receive needs: its record, where that is the operation's already, and what was filled in is kept. */
static inline void receive_fill(struct operation *op, struct receive *receive, struct envelope envelope, char *piece,
                                uint64_t bytes, const struct origin *by) {
  if (UNLIKELY(op->unrewritten)) {
    op->call = (enum call)by->call;
    op->site = by->site;
  }
  op->fetch = NULL;
  op->fetched = 0;
  receive->envelope = envelope;
  receive->capacity = bytes;
  receive->address = (uint64_t)(uintptr_t)piece;
  receive->offset = piece ? buffer_offset(piece, bytes) : 0;
  receive->owner = op;
}
/* Posts the receive of an operation that is otherwise ready, or delivers the message that has come for it already. */
void receive_post(struct operation *op);
/* Delivers a message that receiver_peek has found. */
void receive_give(struct operation *op, const struct unexpected *message);
/* Starts a receive of a message that a matched probe has taken, which is freed. */
void receive_held(struct operation *op, struct route route, struct envelope envelope, void *buffer, MPI_Count count,
                  int source, struct unexpected *message);
/* receiver_drain, with receive_arrive. */
bool receives_match(struct receiver *receiver, const struct receive *wanted);
/* Some receives wait in a list: then what comes may be for them, which is settled at once (wildcards.c). */
extern bool wildcards_are_waiting;
COLD void wildcards_drain(struct endpoint *endpoint);
/* Matches what has come from there to posted receives, no more than `wanted` needs, unless that is NULL. What more than
 * a copy of a cell is needed for is left to receives_finish_matched, which must follow. */
static inline void endpoint_drain(struct endpoint *endpoint, const struct receive *wanted) {
  if (UNLIKELY(wildcards_are_waiting)) {
    wildcards_drain(endpoint);
    return;
  }
  receives_match(&endpoint->receiver, wanted);
  if (UNLIKELY(endpoint->receiver.mpi_only))
    announcements_receive(endpoint);
}
COLD void receives_finish_matched(void);
void receive_free(struct receive *receive);
/* Its part of operation_try. */
bool receive_poll(struct operation *op);
/* Its part of operation_cancel. */
void receive_cancel(struct operation *op);
/* The message is in op->copy, or where it belongs, and has op->bytes bytes: MPI has brought it. */
void receive_take_payload(struct operation *op);

#endif
