/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: arrays of requests, and completion of all of one.
 */
#include "messages/statuses.h"
#include "mpishm.h"
#include "next/next.h"
#include "point_to_point/at_once.h"
#include "point_to_point/completion.h"
#include "requests/requests.h"
#include "watch/enter.h"
#include "watch/slips.h"
#include "watch/waiting.h"

#include <stdlib.h>

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
    error = operation_raise(&op, ERROR_IN_COMPLETIONS);
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

/* Ends what is at the beginning of an array by finish_plain, in its order, and returns how many that were. A receive is
 * waited for where it stands, as wait_and_finish would do after those before it. Nobody attends entry points. */
static inline int finish_first(int count, MPI_Request requests[], MPI_Status *statuses, bool ignores,
                               bool is_unrewritten) {
  int i;
  for (i = 0; i < count; i++) {
    MPI_Status *status = ignores ? MPI_STATUS_IGNORE : &statuses[i];
    if (!finish_plain(&requests[i], status, is_unrewritten))
      break;
    if (status != MPI_STATUS_IGNORE)
      status->MPI_ERROR = MPI_SUCCESS;
  }
  return i;
}

/* The same for two kinds of calls, which the compiler then knows apart. */
static inline int finish_some(int count, MPI_Request requests[], MPI_Status statuses[], bool is_unrewritten) {
  if (UNLIKELY(mpishm.attended || !mpishm.active || !requests))
    return 0;
  return statuses == MPI_STATUSES_IGNORE ? finish_first(count, requests, NULL, true, is_unrewritten)
                                         : finish_first(count, requests, statuses, false, is_unrewritten);
}

NOINLINE HOT static int waitall_any(int count, MPI_Request requests[], MPI_Status statuses[]) {
  struct batch batch;
  runtime_enter_come(CALL_WAITALL, count, requests);
  enum batch_kind kind = batch_open(&batch, count, requests);
  if (UNLIKELY(kind != BATCH_MIXED)) {
    runtime_unlock_to_wait(count, requests, true);
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Waitall(count, requests, statuses)
                                                : raise_no_memory(MPI_COMM_WORLD));
  }
  return wait_for_all(&batch, count, requests, statuses);
}

HOT int MPISHM_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  int first = unrewritten.site ? 0 : finish_some(count, requests, statuses, false);
  if (first > 0) {
    if (first == count)
      return MPI_SUCCESS;
    return waitall_any(count - first, requests + first, statuses_from(statuses, first));
  }
  runtime_come();
  return waitall_any(count, requests, statuses);
}

NOINLINE HOT static int serve_waitall_any(int count, MPI_Request requests[], MPI_Status statuses[], const void *site) {
  struct batch batch;
  bool rewritten = false;
  enum batch_kind kind = sort_requests(&batch, count, requests, &rewritten);
  if (UNLIKELY(kind != BATCH_MIXED))
    return kind == BATCH_ALL_MPI ? mpi_next.Waitall(count, requests, statuses) : raise_no_memory(MPI_COMM_WORLD);
  if (UNLIKELY(rewritten))
    slip_handle(CALL_WAITALL, site, "request");
  return wait_for_all(&batch, count, requests, statuses);
}

HOT int serve_Waitall(int count, MPI_Request requests[], MPI_Status statuses[], const void *site) {
  int first = finish_some(count, requests, statuses, true);
  if (first == 0)
    return serve_waitall_any(count, requests, statuses, site);
  if (first == count)
    return MPI_SUCCESS;
  return serve_waitall_any(count - first, requests + first, statuses_from(statuses, first), site);
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
