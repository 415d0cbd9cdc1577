/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One message, whichever side it is on: getting it on and finishing it.
 */
#include "messages/operations.h"
#include "messages/receiving.h"
#include "messages/sending.h"
#include "messages/statuses.h"
#include "watch/slips.h"
#include "watch/waiting.h"

#include <stdlib.h>

static bool mpi_poll(struct operation *op) {
  int flag = 0;
  if (op->work)
    return op->work->advance(op);
  if (op->mpi == MPI_REQUEST_NULL)
    return op->done;
  op->error = PMPI_Test(&op->mpi, &flag, MPI_STATUS_IGNORE);
  op->done = flag || op->error != MPI_SUCCESS;
  if (op->done) {
    if (!op->is_send && op->error == MPI_SUCCESS)
      receive_take_payload(op);
    free(op->copy);
    op->copy = NULL;
  }
  return op->done || (op->is_send && send_is_met(op));
}

void operation_crossed(const struct operation *op) {
  if (op->unrewritten)
    slip_receive(op->call, op->site, op->peer, op->tag);
  else
    slip_send(op->communicator->handle, op->peer, op->tag);
}

bool operation_try(struct operation *op) {
  if (op->by_mpi)
    return mpi_poll(op);
  return op->is_send ? send_poll(op) : receive_poll(op);
}

void operation_persist(struct operation *op) {
  struct waiter waiter = {0};
  while (!operation_try(op)) {
    waiter_pause(&waiter);
    if (op->done) /* by another thread, which had the mutex meanwhile */
      return;
  }
}

void operations_persist(struct operation *one, struct operation *other) {
  struct waiter waiter = {0};
  for (bool done = operation_poll(one); !operation_poll(other) || !done; done = operation_poll(one))
    waiter_pause(&waiter);
}

void operation_cancel(struct operation *op) {
  if (!op->is_send && !op->done && !op->fetch && !op->by_mpi)
    receive_cancel(op);
}

/* ---- Finishing. ---- */

void operation_destroy(struct operation *op) {
  if (op->receive)
    receive_free(op->receive);
  op->receive = NULL;
}

int operation_raise(const struct operation *op, enum error_in in) {
  if (op->error != MPI_SUCCESS && !op->elsewhere) /* MPI has raised its own already */
    communicator_raise(op->communicator, op->persistent && in == ERROR_IN_COMPLETION ? ERROR_IN_CALL : in, op->error);
  return op->error;
}

int operation_complete(struct operation *op, enum error_in in, MPI_Status *status) {
  operation_wait(op);
  operation_status(op, status);
  int error = operation_raise(op, in);
  operation_clear(op);
  operation_destroy(op);
  return error;
}

int raise_no_memory(MPI_Comm comm) {
  error_on_communicator(comm, MPI_ERR_NO_MEM);
  return MPI_ERR_NO_MEM;
}

/* ---- What the watch learns. ---- */

void operation_watch_posted(struct operation *op) {
  struct watched_call *call = watch_call();
  op->call = call->charged_call;
  op->site = call->charged_site;
  op->path = PATH_INLINE; /* until it turns out otherwise */
  if (op->communicator->context == CONTEXT_OWN)
    return;
  if (op->handle == MPI_REQUEST_NULL && call->posted_count < WATCH_POSTED)
    call->posted[call->posted_count++] = op;
}

void operation_watch_finished(const struct operation *op) {
  if (op->cancelled || op->path == PATH_NONE || op->communicator->context == CONTEXT_OWN)
    return;
  enum path path = op->by_mpi ? PATH_MPI_WINDOW_FULL : op->path;
  if (path == PATH_INLINE && op->bytes > INLINE_BYTES)
    path = PATH_EAGER;
  watch_message(op->call, op->site, op->is_send, path, op->bytes);
}
