/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: completion of any and of some requests of an array.
 */
#include "messages/statuses.h"
#include "mpishm.h"
#include "next/next.h"
#include "point_to_point/completion.h"
#include "watch/enter.h"
#include "watch/waiting.h"

/* ---- Any. ---- */

int batch_test_any(struct batch *batch) {
  for (int i = 0; i < batch->count; i++) {
    struct batch_entry *entry = &batch->entries[i];
    if (entry->kind == REQUEST_SENT || (entry->kind == REQUEST_OURS && operation_poll(entry->op)))
      return i;
  }
  return MPI_UNDEFINED;
}

int batch_index(const struct batch *batch, int mpi_index) {
  for (int i = 0; i < batch->count; i++)
    if (batch->entries[i].kind == REQUEST_MPI && batch->entries[i].mpi_index == mpi_index)
      return i;
  return MPI_UNDEFINED;
}

/* One round of Waitany and Testany. *index: MPI_UNDEFINED when nothing was found; *done: there is something, or nothing
 * is active. */
static int any_round(struct batch *batch, MPI_Request requests[], int *index, bool *done, MPI_Status *status) {
  *done = true;
  *index = batch_test_any(batch);
  if (*index != MPI_UNDEFINED) {
    struct operation *op = batch->entries[*index].op;
    if (!op) { /* sent */
      status_empty(status);
      requests[*index] = MPI_REQUEST_NULL;
      return MPI_SUCCESS;
    }
    return finish_and_raise(op, ERROR_IN_COMPLETIONS, &requests[*index], status);
  }
  *done = batch->active == 0;
  if (batch->mpi_count == 0) {
    if (*done)
      status_empty(status);
    return MPI_SUCCESS;
  }
  int flag = 0, found = MPI_UNDEFINED, error = mpi_first.Testany(batch->mpi_count, batch->mpi, &found, &flag, status);
  if ((flag || error != MPI_SUCCESS) && found != MPI_UNDEFINED) {
    *index = batch_index(batch, found);
    requests[*index] = batch->mpi[found];
    *done = true;
  }
  *done = *done && (flag || error != MPI_SUCCESS);
  return error;
}

int MPISHM_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  struct batch batch;
  runtime_enter_with(CALL_WAITANY, count, requests);
  enum batch_kind kind = index ? batch_open(&batch, count, requests) : BATCH_ALL_MPI;
  if (kind != BATCH_MIXED) {
    runtime_unlock_to_wait(count, requests, false);
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Waitany(count, requests, index, status)
                                                : raise_no_memory(MPI_COMM_WORLD));
  }
  struct waiter waiter = {0};
  bool done;
  int error;
  while ((error = any_round(&batch, requests, index, &done, status)) == MPI_SUCCESS && !done)
    waiter_pause(&waiter);
  runtime_leave();
  batch_close(&batch);
  return error;
}

int MPISHM_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  struct batch batch;
  runtime_enter_with(CALL_TESTANY, count, requests);
  enum batch_kind kind = index && flag ? batch_open(&batch, count, requests) : BATCH_ALL_MPI;
  if (kind != BATCH_MIXED) {
    runtime_unlock();
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Testany(count, requests, index, flag, status)
                                                : raise_no_memory(MPI_COMM_WORLD));
  }
  bool done;
  int error = any_round(&batch, requests, index, &done, status);
  *flag = done;
  if (!done)
    tested_in_vain();
  runtime_leave();
  batch_close(&batch);
  return error;
}

/* ---- Some. ---- */

/* One round of Waitsome and Testsome: ends all that is done, ours first. *outcount: MPI_UNDEFINED when nothing is
 * active. */
static int some_round(struct batch *batch, MPI_Request requests[], int *outcount, int indices[],
                      MPI_Status statuses[]) {
  struct failure failure = {NULL};
  int n = 0, mpi_error = MPI_SUCCESS;
  bool idle = batch->active == 0;
  for (int i = 0; i < batch->count; i++) {
    struct batch_entry *entry = &batch->entries[i];
    MPI_Status *status = status_at(statuses, n);
    int error = MPI_SUCCESS;
    if (entry->kind == REQUEST_SENT) {
      status_empty(status);
      requests[i] = MPI_REQUEST_NULL;
    } else if (entry->kind == REQUEST_OURS && operation_poll(entry->op)) {
      error = request_finish(entry->op, &requests[i], status, &failure);
    } else {
      continue;
    }
    if (status != MPI_STATUS_IGNORE)
      status->MPI_ERROR = error;
    indices[n++] = i;
  }
  if (batch->mpi_count) {
    int found = 0;
    mpi_error = mpi_first.Testsome(batch->mpi_count, batch->mpi, &found, indices + n,
                                   statuses == MPI_STATUSES_IGNORE ? MPI_STATUSES_IGNORE : &statuses[n]);
    for (int k = 0; found != MPI_UNDEFINED && k < found; k++, n++) {
      int mpi_index = indices[n];
      indices[n] = batch_index(batch, mpi_index);
      requests[indices[n]] = batch->mpi[mpi_index];
    }
    idle = idle && found == MPI_UNDEFINED;
  }
  *outcount = idle ? MPI_UNDEFINED : n;
  return failure_raise(&failure, mpi_error);
}

int MPISHM_Waitsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]) {
  struct batch batch;
  runtime_enter_with(CALL_WAITSOME, incount, requests);
  enum batch_kind kind = outcount && indices ? batch_open(&batch, incount, requests) : BATCH_ALL_MPI;
  if (kind != BATCH_MIXED) {
    runtime_unlock_to_wait(incount, requests, false);
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Waitsome(incount, requests, outcount, indices, statuses)
                                                : raise_no_memory(MPI_COMM_WORLD));
  }
  struct waiter waiter = {0};
  int error;
  while ((error = some_round(&batch, requests, outcount, indices, statuses)) == MPI_SUCCESS && *outcount == 0)
    waiter_pause(&waiter);
  runtime_leave();
  batch_close(&batch);
  return error;
}

int MPISHM_Testsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]) {
  struct batch batch;
  runtime_enter_with(CALL_TESTSOME, incount, requests);
  enum batch_kind kind = outcount && indices ? batch_open(&batch, incount, requests) : BATCH_ALL_MPI;
  if (kind != BATCH_MIXED) {
    runtime_unlock();
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Testsome(incount, requests, outcount, indices, statuses)
                                                : raise_no_memory(MPI_COMM_WORLD));
  }
  int error = some_round(&batch, requests, outcount, indices, statuses);
  if (error == MPI_SUCCESS && *outcount == 0)
    tested_in_vain();
  runtime_leave();
  batch_close(&batch);
  return error;
}
