/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Handles for operations.
 */
#ifndef MPISHM_REQUESTS_H
#define MPISHM_REQUESTS_H

#include "base/handles.h"
#include "messages/operations.h"

bool requests_init(void);

/* Starts a generalized request of MPI that belongs to `state`, whose status is empty. Returns MPI's error. */
int handle_start(void *state, MPI_Request *handle);
void requests_destroy(void);
struct request_pool {
  struct handle_table table; /* handles in use and free ones */
  struct operation *free;
  struct operation *orphans; /* freed by the program while active */
};
extern struct request_pool request_pool;
COLD struct operation *request_make(void);
/* A new operation with a handle, or NULL when there is no memory. */
static inline struct operation *request_new(void) {
  struct operation *op = request_pool.free;
  if (!op || request_pool.orphans)
    return request_make();
  request_pool.free = op->next;
  return op;
}
/* Gives back an operation that was never started. */
void request_discard(struct operation *op);
/* Gives an operation and its handle back. */
void request_recycle(struct operation *op);
/* After completion: a persistent request becomes inactive and stays, any other one is recycled and set to null. */
static inline void request_retire(struct operation *op, MPI_Request *request) {
  operation_clear(op);
  if (op->persistent) {
    op->persistent->active = false;
    return;
  }
  op->next = request_pool.free;
  request_pool.free = op;
  *request = MPI_REQUEST_NULL;
}
/* The same between set-up and teardown, for a handle that is likely to be found at once. */
static inline struct operation *request_expect(MPI_Request request) {
  return handle_expect(&request_pool.table, HANDLE_KEY(request));
}
/* request_retire of an operation_is_plain, where nobody watches. */
static inline void request_retire_plain(struct operation *op, MPI_Request *request) {
  communicator_release(op->communicator);
  if (op->persistent) {
    op->persistent->active = false;
    return;
  }
  op->next = request_pool.free;
  request_pool.free = op;
  *request = MPI_REQUEST_NULL;
}
/* The operation of a handle; NULL when it is not ours. */
static inline struct operation *request_find(MPI_Request request) {
  return handle_find(&request_pool.table, HANDLE_KEY(request));
}
/* The handles of every send that was complete when it was started: of rewritten code, and of the net. */
extern MPI_Request sent_requests[2];
enum request_kind {
  REQUEST_NULL,
  REQUEST_INACTIVE, /* a persistent one of ours that was not started */
  REQUEST_SENT,     /* a send that was complete when it was started */
  REQUEST_OURS,
  REQUEST_MPI,
  REQUEST_ENDED /* done with, in this call */
};

/* Whether it stands for something of ours. */
static inline bool is_request_of_ours(enum request_kind kind) { return kind != REQUEST_NULL && kind != REQUEST_MPI; }

static inline enum request_kind request_classify(MPI_Request request, struct operation **op) {
  *op = NULL;
  if (request == MPI_REQUEST_NULL)
    return REQUEST_NULL;
  if (request == sent_requests[0] || request == sent_requests[1])
    return REQUEST_SENT;
  *op = request_find(request);
  if (!*op)
    return REQUEST_MPI;
  return (*op)->persistent && !(*op)->persistent->active ? REQUEST_INACTIVE : REQUEST_OURS;
}
/* Whether a request of ours was made by rewritten code. */
static inline bool request_is_rewritten(MPI_Request request, const struct operation *op) {
  return op ? !op->unrewritten : request == sent_requests[0];
}
/* Marks a request as freed: it goes on without anybody waiting for it. */
void request_orphan(struct operation *op);
/* True when sends are among those that are left. */
bool orphans_poll(void);
/* Waits until everything that this rank has still to send is out of its hands. */
void requests_drain(void);
/* Waits until none of this communicator is left. */
COLD void orphans_wait(const struct communicator *communicator);

#endif
