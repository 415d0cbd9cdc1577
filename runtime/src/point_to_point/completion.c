/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: completion of one request, and of all.
 */
#include "point_to_point/completion.h"
#include "messages/requests.h"
#include "messages/statuses.h"
#include "mpishm.h"
#include "next/next.h"
#include "point_to_point/at_once.h"
#include "watch/enter.h"
#include "watch/slips.h"
#include "watch/waiting.h"

#include <stdlib.h>

int finish_and_raise(struct operation *op, MPI_Request *request, MPI_Status *status) {
  operation_status(op, status);
  int error = operation_raise(op);
  request_retire(op, request);
  return error;
}

/* request_classify, for a call that was not rewritten unless `by` is NULL. */
static inline enum request_kind classify(MPI_Request request, struct operation **op, const struct origin *by) {
  enum request_kind kind = request_classify(request, op);
  if (by && is_request_of_ours(kind))
    note_request(request, *op, by);
  return kind;
}

/* Entered already; ends the call. */
static inline int wait_one(MPI_Request *request, MPI_Status *status, const struct mpi_functions *mpi,
                           const struct origin *by) {
  struct operation *op;
  int error = MPI_SUCCESS;
  switch (classify(*request, &op, by)) {
  case REQUEST_SENT:
    *request = MPI_REQUEST_NULL;
    status_empty(status);
    break;
  case REQUEST_INACTIVE:
    status_empty(status);
    break;
  case REQUEST_OURS:
    operation_wait(op);
    error = finish_and_raise(op, request, status);
    break;
  default:
    runtime_unlock_to_wait(1, request, true);
    return runtime_return(mpi->Wait(request, status));
  }
  runtime_leave();
  return error;
}

HOT int MPISHM_Wait(MPI_Request *request, MPI_Status *status) {
  if (!request)
    return mpi_first.Wait(request, status);
  runtime_enter_with(CALL_WAIT, 1, request);
  return wait_one(request, status, &mpi_first, NULL);
}

HOT int serve_Wait(MPI_Request *request, MPI_Status *status, const void *site) {
  const struct origin by = {site, CALL_WAIT};
  return wait_one(request, status, &mpi_next, &by);
}

/* Entered already; ends the call. */
static inline int test_one(MPI_Request *request, int *flag, MPI_Status *status, const struct mpi_functions *mpi,
                           const struct origin *by) {
  struct operation *op;
  int error = MPI_SUCCESS;
  switch (classify(*request, &op, by)) {
  case REQUEST_SENT:
    *request = MPI_REQUEST_NULL;
    status_empty(status);
    *flag = 1;
    break;
  case REQUEST_INACTIVE:
    status_empty(status);
    *flag = 1;
    break;
  case REQUEST_OURS:
    *flag = operation_poll(op);
    if (*flag)
      error = finish_and_raise(op, request, status);
    else
      tested_in_vain();
    break;
  default:
    runtime_unlock();
    return runtime_return(mpi->Test(request, flag, status));
  }
  runtime_leave();
  return error;
}

int MPISHM_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (!request || !flag)
    return mpi_first.Test(request, flag, status);
  runtime_enter_with(CALL_TEST, 1, request);
  return test_one(request, flag, status, &mpi_first, NULL);
}

int serve_Test(MPI_Request *request, int *flag, MPI_Status *status, const void *site) {
  const struct origin by = {site, CALL_TEST};
  return test_one(request, flag, status, &mpi_next, &by);
}

int MPISHM_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  struct operation *op;
  runtime_enter_with(CALL_REQUEST_GET_STATUS, 1, &request);
  enum request_kind kind = request_classify(request, &op);
  if (!flag || kind == REQUEST_MPI || kind == REQUEST_NULL) {
    runtime_unlock();
    return runtime_return(mpi_first.Request_get_status(request, flag, status));
  }
  int error = MPI_SUCCESS;
  bool empty = kind == REQUEST_SENT || kind == REQUEST_INACTIVE;
  *flag = empty || operation_poll(op);
  if (empty) {
    status_empty(status);
  } else if (*flag) {
    operation_status(op, status);
    error = op->error;
  } else {
    tested_in_vain();
  }
  runtime_leave();
  return error;
}

int MPISHM_Request_free(MPI_Request *request) {
  struct operation *op;
  if (!request)
    return mpi_first.Request_free(request);
  runtime_enter_with(CALL_REQUEST_FREE, 1, request);
  switch (request_classify(*request, &op)) {
  case REQUEST_INACTIVE:
    request_recycle(op);
    break;
  case REQUEST_OURS:
    if (operation_poll(op))
      request_recycle(op);
    else
      request_orphan(op);
    break;
  case REQUEST_SENT:
    break;
  default:
    runtime_unlock();
    return runtime_return(mpi_first.Request_free(request));
  }
  *request = MPI_REQUEST_NULL;
  runtime_leave();
  return MPI_SUCCESS;
}

int MPISHM_Cancel(MPI_Request *request) {
  struct operation *op;
  if (!request)
    return mpi_first.Cancel(request);
  runtime_enter_with(CALL_CANCEL, 1, request);
  enum request_kind kind = request_classify(*request, &op);
  if (kind == REQUEST_OURS)
    operation_cancel(op);
  runtime_unlock();
  return runtime_return(kind == REQUEST_MPI || kind == REQUEST_NULL ? mpi_first.Cancel(request) : MPI_SUCCESS);
}

/* ---- Arrays. ---- */

COLD static bool batch_grow(struct batch *batch, size_t n) {
  batch->entries = malloc(n * (sizeof *batch->entries + sizeof *batch->mpi + sizeof *batch->mpi_statuses));
  if (!batch->entries)
    return false;
  batch->mpi = (MPI_Request *)(batch->entries + n); /* pointers or integers: aligned after the entries */
  batch->mpi_statuses = (MPI_Status *)(batch->mpi + n);
  return true;
}

/* A call that was not rewritten has requests of ours: says so when one is of rewritten code. */
NOINLINE static void note_slip(const struct batch *batch, const MPI_Request requests[]) {
  for (int i = 0; i < batch->count; i++) {
    const struct batch_entry *entry = &batch->entries[i];
    bool ours = entry->kind != REQUEST_NULL && entry->kind != REQUEST_MPI;
    if (ours && UNLIKELY(request_is_rewritten(requests[i], entry->op))) {
      slip_handle((enum call)unrewritten.call, unrewritten.site, "request");
      return;
    }
  }
}

/* *rewritten: some request is of rewritten code; NULL: it does not matter. */
static inline enum batch_kind sort_requests(struct batch *batch, int count, MPI_Request requests[], bool *rewritten) {
  int ours = 0, active = 0, mpi_count = 0;
  if (count <= 0 || !requests)
    return BATCH_ALL_MPI;
  batch->count = count; /* field by field: clearing all of it would cost more than the call */
  batch->entries = batch->small;
  batch->mpi = batch->small_mpi;
  batch->mpi_statuses = batch->small_statuses;
  if (UNLIKELY(count > BATCH_SMALL) && !batch_grow(batch, (size_t)count))
    return BATCH_NO_MEMORY;
  for (int i = 0; i < count; i++) {
    struct batch_entry *entry = &batch->entries[i];
    entry->kind = request_classify(requests[i], &entry->op);
    switch (entry->kind) {
    case REQUEST_SENT:
    case REQUEST_OURS:
      active++;
      /* fall through */
    case REQUEST_INACTIVE:
      ours++;
      if (rewritten)
        *rewritten |= request_is_rewritten(requests[i], entry->op);
      break;
    case REQUEST_MPI:
      entry->mpi_index = mpi_count;
      batch->mpi[mpi_count++] = requests[i];
      break;
    default:;
    }
  }
  batch->active = active;
  batch->mpi_count = mpi_count;
  if (ours)
    return BATCH_MIXED;
  batch_close(batch);
  return BATCH_ALL_MPI;
}

enum batch_kind batch_open(struct batch *batch, int count, MPI_Request requests[]) {
  enum batch_kind kind = sort_requests(batch, count, requests, NULL);
  if (kind == BATCH_MIXED && unrewritten.site)
    note_slip(batch, requests);
  return kind;
}

void failure_note(struct failure *failure, const struct operation *op) {
  if (failure->communicator)
    return;
  failure->communicator = op->communicator;
  failure->communicator->references++;
}

int failure_raise(struct failure *failure, int error) {
  if (!failure->communicator)
    return error;
  struct operation op = {.communicator = failure->communicator, .error = MPI_ERR_IN_STATUS};
  if (error == MPI_SUCCESS)
    error = operation_raise(&op);
  communicator_release(failure->communicator);
  return error;
}

/* ---- All. ---- */

/* Ends what stands at `i`, which is done; returns its error. */
static inline int finish_one(struct batch *batch, int i, MPI_Request requests[], MPI_Status statuses[],
                             struct failure *failure) {
  struct batch_entry *entry = &batch->entries[i];
  MPI_Status *status = status_at(statuses, i);
  int error = MPI_SUCCESS;
  if (entry->kind == REQUEST_OURS) {
    error = request_finish(entry->op, &requests[i], status, failure);
  } else {
    if (entry->kind == REQUEST_SENT)
      requests[i] = MPI_REQUEST_NULL;
    status_empty(status);
  }
  if (status != MPI_STATUS_IGNORE)
    status->MPI_ERROR = error;
  entry->kind = REQUEST_ENDED;
  return error;
}

/* Takes over what MPI did with its own, which are all done. */
static void finish_mpi(struct batch *batch, MPI_Request requests[], MPI_Status statuses[]) {
  for (int i = 0; i < batch->count; i++) {
    struct batch_entry *entry = &batch->entries[i];
    if (entry->kind != REQUEST_MPI)
      continue;
    requests[i] = batch->mpi[entry->mpi_index];
    if (statuses != MPI_STATUSES_IGNORE)
      statuses[i] = batch->mpi_statuses[entry->mpi_index];
  }
}

/* First everything but sends that still have to be matched: what has come is copied before this rank looks after what
 * its receivers can fetch by themselves. Returns where a receive has failed, and then does no more; else the count. */
static inline int wait_and_finish(struct batch *batch, MPI_Request requests[], MPI_Status statuses[],
                                  struct failure *failure) {
  int sends = 0;
  for (int i = 0; i < batch->count; i++) {
    struct batch_entry *entry = &batch->entries[i];
    if (entry->kind == REQUEST_MPI)
      continue;
    if (entry->kind == REQUEST_OURS && !entry->op->done) {
      if (entry->op->is_send) {
        sends++;
        continue;
      }
      operation_wait(entry->op);
    }
    if (UNLIKELY(finish_one(batch, i, requests, statuses, failure) != MPI_SUCCESS))
      return i;
  }
  for (int i = 0; sends > 0; i++) {
    if (batch->entries[i].kind != REQUEST_OURS)
      continue;
    operation_wait(batch->entries[i].op);
    finish_one(batch, i, requests, statuses, failure);
    sends--;
  }
  return batch->count;
}

/* ---- After a failure the other requests may be pending (MPI 3.1, 3.7.5). Which ones, and whether they are waited for,
 * depends on the library. ---- */

#ifdef OPEN_MPI
enum { WAITS_FOR_ALL = false }; /* pending is what is not complete when one fails */
#else
enum { WAITS_FOR_ALL = true }; /* pending is all behind the first that failed; it only has to be completed again */
#endif

/* Ends what stands at `i` if that is done, and says whether it was. *mpi_error: what MPI has raised. */
static bool finish_if_done(struct batch *batch, int i, MPI_Request requests[], MPI_Status statuses[],
                           struct failure *failure, int *mpi_error) {
  struct batch_entry *entry = &batch->entries[i];
  if (entry->kind == REQUEST_ENDED)
    return true;
  if (entry->kind != REQUEST_MPI) {
    bool done = entry->kind != REQUEST_OURS || operation_poll(entry->op);
    if (done)
      finish_one(batch, i, requests, statuses, failure);
    return done;
  }
  int done = 0;
  MPI_Status *status = status_at(statuses, i);
  int error = mpi_first.Test(&requests[i], &done, status);
  if (!done && error == MPI_SUCCESS)
    return false;
  if (status != MPI_STATUS_IGNORE)
    status->MPI_ERROR = error;
  if (error != MPI_SUCCESS)
    *mpi_error = MPI_ERR_IN_STATUS;
  entry->kind = REQUEST_ENDED;
  return true;
}

/* Ends a Waitall in which what stands at `failed` has failed; returns what MPI has raised. Of what is MPI's own, only
 * that is waited for which must not be pending: to ask whether it is complete and leave it as it is would lose the
 * status of a persistent request in MPICH 5 and Intel MPI 2021. */
COLD static int finish_failed(struct batch *batch, int failed, MPI_Request requests[], MPI_Status statuses[],
                              struct failure *failure) {
  int mpi_error = MPI_SUCCESS;
  struct waiter waiter = {0};
  for (int i = 0; i < batch->count; i++) {
    enum request_kind kind = batch->entries[i].kind;
    bool pending = WAITS_FOR_ALL && i > failed && kind != REQUEST_NULL && kind != REQUEST_INACTIVE;
    if (pending && kind == REQUEST_OURS)
      operation_wait(batch->entries[i].op);
    while (!pending && !finish_if_done(batch, i, requests, statuses, failure, &mpi_error)) {
      pending = !WAITS_FOR_ALL;
      if (!pending)
        waiter_pause(&waiter);
    }
    if (pending && statuses != MPI_STATUSES_IGNORE)
      statuses[i].MPI_ERROR = MPI_ERR_PENDING;
  }
  return mpi_error;
}

/* Entered already; ends the call. */
static inline int wait_for_all(struct batch *batch, int count, MPI_Request requests[], MPI_Status statuses[]) {
  struct failure failure = {NULL};
  int mpi_error = MPI_SUCCESS;
  int end = wait_and_finish(batch, requests, statuses, &failure);
  if (UNLIKELY(end < count)) {
    mpi_error = finish_failed(batch, end, requests, statuses, &failure);
  } else if (batch->mpi_count) {
    runtime_unlock_to_wait(batch->mpi_count, batch->mpi, true);
    mpi_error = mpi_first.Waitall(batch->mpi_count, batch->mpi, batch_mpi_statuses(batch, statuses));
    runtime_lock();
    finish_mpi(batch, requests, statuses);
  }
  int error = failure_raise(&failure, mpi_error);
  runtime_leave();
  batch_close(batch);
  return error;
}

HOT int MPISHM_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  struct batch batch;
  runtime_enter_with(CALL_WAITALL, count, requests);
  enum batch_kind kind = batch_open(&batch, count, requests);
  if (UNLIKELY(kind != BATCH_MIXED)) {
    runtime_unlock_to_wait(count, requests, true);
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Waitall(count, requests, statuses)
                                                : raise_no_memory(MPI_COMM_WORLD));
  }
  return wait_for_all(&batch, count, requests, statuses);
}

HOT int serve_Waitall(int count, MPI_Request requests[], MPI_Status statuses[], const void *site) {
  struct batch batch;
  bool rewritten = false;
  enum batch_kind kind = sort_requests(&batch, count, requests, &rewritten);
  if (UNLIKELY(kind != BATCH_MIXED))
    return kind == BATCH_ALL_MPI ? mpi_next.Waitall(count, requests, statuses) : raise_no_memory(MPI_COMM_WORLD);
  if (UNLIKELY(rewritten))
    slip_handle(CALL_WAITALL, site, "request");
  return wait_for_all(&batch, count, requests, statuses);
}

bool batch_test_ours(struct batch *batch) {
  bool done = true;
  for (int i = 0; i < batch->count; i++)
    if (batch->entries[i].kind == REQUEST_OURS)
      done = operation_poll(batch->entries[i].op) && done;
  return done;
}

int MPISHM_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  struct batch batch;
  runtime_enter_with(CALL_TESTALL, count, requests);
  enum batch_kind kind = flag ? batch_open(&batch, count, requests) : BATCH_ALL_MPI;
  if (kind != BATCH_MIXED) {
    runtime_unlock();
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Testall(count, requests, flag, statuses)
                                                : raise_no_memory(MPI_COMM_WORLD));
  }
  struct failure failure = {NULL};
  int mpi_error = MPI_SUCCESS;
  *flag = batch_test_ours(&batch);
  if (*flag && batch.mpi_count)
    mpi_error = mpi_first.Testall(batch.mpi_count, batch.mpi, flag, batch_mpi_statuses(&batch, statuses));
  if (*flag || mpi_error != MPI_SUCCESS) {
    *flag = 1;
    finish_mpi(&batch, requests, statuses);
    for (int i = 0; i < count; i++)
      if (batch.entries[i].kind != REQUEST_MPI)
        finish_one(&batch, i, requests, statuses, &failure);
  } else {
    tested_in_vain();
  }
  int error = failure_raise(&failure, mpi_error);
  runtime_leave();
  batch_close(&batch);
  return error;
}
