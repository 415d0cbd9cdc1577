/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the completion calls share: an array of requests, sorted into ours and MPI's own.
 */
#ifndef MPISHM_COMPLETION_H
#define MPISHM_COMPLETION_H

#include "messages/statuses.h"
#include "requests/requests.h"
#include "watch/slips.h"

/* Ends a done operation that a request stands for; returns its error, raised. */
int finish_and_raise(struct operation *op, enum error_in in, MPI_Request *request, MPI_Status *status);

/* A call that was not rewritten has this request of ours: says so when it is of rewritten code. */
static inline void note_request(MPI_Request request, const struct operation *op, const struct origin *by) {
  if (UNLIKELY(request_is_rewritten(request, op)))
    slip_handle((enum call)by->call, by->site, "request");
}

static inline bool is_active(const struct operation *op) { return !op->persistent || op->persistent->active; }

/* Waits for what a request of ours stands for, of the same code as the call, and ends it, without any look at what few
 * requests need. False, and it is not ended: it is none of these, a send that is not done, what has failed, or what
 * else needs another look. Nobody attends entry points. */
static inline bool finish_plain(MPI_Request *request, MPI_Status *status, bool is_unrewritten) {
  if (*request == sent_requests[is_unrewritten]) {
    *request = MPI_REQUEST_NULL;
    status_empty(status);
    return true;
  }
  struct operation *op = request_expect(*request);
  if (UNLIKELY(!op))
    return false;
  if (!op->done) {
    if (UNLIKELY(op->is_send || op->unrewritten != is_unrewritten))
      return false;
    operation_persist(op);
  }
  if (UNLIKELY(op->error != MPI_SUCCESS || op->unrewritten != is_unrewritten || !is_active(op)))
    return false;
  operation_status(op, status);
  if (operation_is_plain(op))
    request_retire_plain(op, request);
  else
    request_retire(op, request);
  return true;
}

struct batch_entry {
  enum request_kind kind;
  int mpi_index; /* in mpi, for REQUEST_MPI */
  struct operation *op;
};

enum { BATCH_SMALL = 32 };

/* MPI's own requests are copied out, so that MPI sees an array of nothing else; the caller copies them back. */
struct batch {
  int count, mpi_count;
  int active; /* of ours */
  struct batch_entry *entries;
  MPI_Request *mpi;
  MPI_Status *mpi_statuses;
  struct batch_entry small[BATCH_SMALL];
  MPI_Request small_mpi[BATCH_SMALL];
  MPI_Status small_statuses[BATCH_SMALL];
};

enum batch_kind {
  BATCH_MIXED,    /* at least one request is ours: to be closed */
  BATCH_ALL_MPI,  /* none is, or MPI is to refuse the arguments: MPI's own function does it; nothing to close */
  BATCH_NO_MEMORY /* nothing to close */
};
enum batch_kind batch_open(struct batch *batch, int count, MPI_Request requests[]);
static inline void batch_close(struct batch *batch) {
  if (UNLIKELY(batch->entries != batch->small))
    free(batch->entries);
}
/* Tries all of ours; true when all are done. */
bool batch_test_ours(struct batch *batch);
/* Tries ours until one is done, and returns its index, or MPI_UNDEFINED. */
int batch_test_any(struct batch *batch);
/* The place in the caller's array of what has this place in `mpi`. */
int batch_index(const struct batch *batch, int mpi_index);
/* Where MPI's statuses go: MPI_STATUSES_IGNORE when the caller's do. They begin as the caller's, since MPI need not
 * write all of one: of a send's MPICH writes only whether it was cancelled. */
static inline MPI_Status *batch_mpi_statuses(struct batch *batch, const MPI_Status *statuses) {
  if (statuses == MPI_STATUSES_IGNORE)
    return MPI_STATUSES_IGNORE;
  for (int i = 0; i < batch->count; i++)
    if (batch->entries[i].kind == REQUEST_MPI)
      batch->mpi_statuses[batch->entries[i].mpi_index] = statuses[i];
  return batch->mpi_statuses;
}
static inline MPI_Status *status_at(MPI_Status *statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}
static inline MPI_Status *statuses_from(MPI_Status *statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUSES_IGNORE : statuses + i;
}
/* Remembers the communicator of the first message that failed, for its error handler. */
struct failure {
  struct communicator *communicator;
};
COLD void failure_note(struct failure *failure, const struct operation *op);
/* Raises MPI_ERR_IN_STATUS (MPI 3.1, 3.7.5) if there was a failure; `error` is what MPI has raised already. */
int failure_raise(struct failure *failure, int error);
/* Ends a done operation that one request of several stands for; returns its error, which is noted and not yet raised.
 */
static inline int request_finish(struct operation *op, MPI_Request *request, MPI_Status *status,
                                 struct failure *failure) {
  int error = op->error;
  if (error != MPI_SUCCESS)
    failure_note(failure, op);
  operation_status(op, status);
  request_retire(op, request);
  return error;
}

#endif
