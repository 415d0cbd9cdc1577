/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Handles for operations. A handle is a generalized request of MPI (MPI 3.1, 12.2) that is never completed on MPI's
 * side while it stands for a message: in a completion function of MPI it waits, it is never taken for done. Handles are
 * started once and used again, so that the steady state makes no call of MPI.
 */
#include "requests/requests.h"
#include "base/handles.h"
#include "messages/staging.h"
#include "watch/waiting.h"

#include <stdlib.h>

struct request_pool request_pool;
MPI_Request sent_requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

static int query(void *state, MPI_Status *status) {
  (void)state;
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

static int release(void *state) {
  (void)state;
  return MPI_SUCCESS;
}

static int cancel(void *state, int complete) {
  (void)state, (void)complete;
  return MPI_SUCCESS;
}

int handle_start(void *state, MPI_Request *handle) {
  return PMPI_Grequest_start(query, release, cancel, state, handle);
}

bool requests_init(void) {
  return handle_prepare(&request_pool.table) && handle_start(NULL, &sent_requests[0]) == MPI_SUCCESS &&
         handle_start(NULL, &sent_requests[1]) == MPI_SUCCESS;
}

static void retire_handle(MPI_Request *handle) {
  PMPI_Grequest_complete(*handle);
  PMPI_Request_free(handle);
}

void requests_destroy(void) {
  for (int i = 0; i < 2; i++)
    if (sent_requests[i] != MPI_REQUEST_NULL)
      retire_handle(&sent_requests[i]);
  while (request_pool.free) {
    struct operation *op = request_pool.free;
    request_pool.free = op->next;
    retire_handle(&op->handle);
    operation_destroy(op);
    free(op);
  }
  handle_table_destroy(&request_pool.table);
}

struct operation *request_make(void) {
  if (request_pool.orphans)
    orphans_poll();
  struct operation *op = request_pool.free;
  if (op) {
    request_pool.free = op->next;
    return op;
  }
  op = calloc(1, sizeof *op);
  if (!op)
    return NULL;
  operation_init(op);
  if (handle_start(op, &op->handle) != MPI_SUCCESS) {
    free(op);
    return NULL;
  }
  if (!handle_set(&request_pool.table, HANDLE_KEY(op->handle), op)) {
    retire_handle(&op->handle);
    free(op);
    return NULL;
  }
  return op;
}

void request_discard(struct operation *op) {
  if (op->persistent && op->persistent->repeated) {
    communicator_release(op->persistent->route.communicator);
    op->persistent->repeated->end(op);
    op->persistent = NULL;
  } else if (op->persistent) {
    if (op->persistent->elsewhere != MPI_REQUEST_NULL)
      PMPI_Request_free(&op->persistent->elsewhere);
    communicator_release(op->persistent->route.communicator);
    layout_release(op->persistent->route.layout);
    free(op->persistent);
    op->persistent = NULL;
  }
  op->next = request_pool.free;
  request_pool.free = op;
}

void request_recycle(struct operation *op) {
  if (!op->persistent || op->persistent->active)
    operation_clear(op);
  request_discard(op);
}

void request_orphan(struct operation *op) {
  op->next = request_pool.orphans;
  request_pool.orphans = op;
}

bool orphans_poll(void) {
  struct operation *list = request_pool.orphans;
  bool sends = false;
  request_pool.orphans = NULL;
  while (list) {
    struct operation *op = list;
    list = op->next;
    if (operation_poll(op)) {
      request_recycle(op);
    } else {
      sends = sends || op->is_send || op->work;
      request_orphan(op);
    }
  }
  return sends;
}

static bool has_orphans(const struct communicator *communicator) {
  for (const struct operation *op = request_pool.orphans; op; op = op->next)
    if (op->communicator == communicator)
      return true;
  return false;
}

void orphans_wait(const struct communicator *communicator) {
  struct waiter waiter = {0};
  for (orphans_poll(); has_orphans(communicator); orphans_poll())
    waiter_pause(&waiter);
}

void requests_drain(void) {
  struct waiter waiter = {0};
  /* Staged messages stay readable until MPI_Win_free, which waits for all; the others need this rank. */
  for (bool pending = true; pending; waiter_pause(&waiter)) {
    pending = sends_reclaim();
    pending = orphans_poll() || pending;
  }
}
