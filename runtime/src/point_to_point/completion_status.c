/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: the statuses of several requests, which stay as they are (MPI 4.1).
 */
#include "mpishm.h"
#include "next/next.h"
#include "point_to_point/completion.h"
#include "watch/enter.h"
#include "watch/waiting.h"

#ifdef MPISHM_HAVE_STATUSES

/* Entered already. Any other kind than BATCH_MIXED: the call is MPI's. */
static enum batch_kind open_for_looking(struct batch *batch, bool valid, int count, const MPI_Request requests[]) {
  enum batch_kind kind = valid ? batch_open(batch, count, (MPI_Request *)requests) : BATCH_ALL_MPI;
  if (kind != BATCH_MIXED)
    runtime_unlock();
  return kind;
}

/* Of a request of ours that is done, or is none; returns its error. */
static int look_at(const struct batch_entry *entry, MPI_Status *status, struct failure *failure) {
  int error = MPI_SUCCESS;
  if (entry->kind == REQUEST_OURS) {
    operation_status(entry->op, status);
    error = entry->op->error;
    if (error != MPI_SUCCESS)
      failure_note(failure, entry->op);
  } else {
    status_empty(status);
  }
  return error;
}

static void look_at_all(struct batch *batch, MPI_Status statuses[], struct failure *failure) {
  for (int i = 0; i < batch->count; i++) {
    const struct batch_entry *entry = &batch->entries[i];
    MPI_Status *status = status_at(statuses, i);
    if (entry->kind != REQUEST_MPI) {
      int error = look_at(entry, status, failure);
      if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = error;
    } else if (status != MPI_STATUS_IGNORE) {
      *status = batch->mpi_statuses[entry->mpi_index];
    }
  }
}

static int end_look(struct batch *batch, bool in_vain, int error) {
  if (in_vain)
    tested_in_vain();
  runtime_leave();
  batch_close(batch);
  return error;
}

int MPISHM_Request_get_status_all(int count, MPISHM_CONST_REQUESTS MPI_Request requests[], int *flag,
                                  MPI_Status statuses[]) {
  struct batch batch;
  struct failure failure = {NULL};
  int error = MPI_SUCCESS;
  runtime_enter_with(CALL_REQUEST_GET_STATUS_ALL, count, (MPI_Request *)requests);
  enum batch_kind kind = open_for_looking(&batch, flag, count, requests);
  if (kind != BATCH_MIXED)
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Request_get_status_all(count, requests, flag, statuses)
                                                : raise_no_memory(MPI_COMM_WORLD));
  *flag = batch_test_ours(&batch);
  if (*flag && batch.mpi_count)
    error = mpi_first.Request_get_status_all(batch.mpi_count, batch.mpi, flag, batch_mpi_statuses(&batch, statuses));
  if (*flag)
    look_at_all(&batch, statuses, &failure);
  return end_look(&batch, !*flag, failure_raise(&failure, error));
}

int MPISHM_Request_get_status_any(int count, MPISHM_CONST_REQUESTS MPI_Request requests[], int *index, int *flag,
                                  MPI_Status *status) {
  struct batch batch;
  int error = MPI_SUCCESS;
  runtime_enter_with(CALL_REQUEST_GET_STATUS_ANY, count, (MPI_Request *)requests);
  enum batch_kind kind = open_for_looking(&batch, index && flag, count, requests);
  if (kind != BATCH_MIXED)
    return runtime_return(kind == BATCH_ALL_MPI ? mpi_first.Request_get_status_any(count, requests, index, flag, status)
                                                : raise_no_memory(MPI_COMM_WORLD));
  *index = batch_test_any(&batch);
  *flag = 1;
  if (*index != MPI_UNDEFINED) {
    struct operation *op = batch.entries[*index].op;
    if (op) {
      operation_status(op, status);
      error = operation_raise(op, ERROR_IN_COMPLETIONS);
    } else { /* sent */
      status_empty(status);
    }
  } else if (batch.mpi_count) {
    int found = MPI_UNDEFINED;
    error = mpi_first.Request_get_status_any(batch.mpi_count, batch.mpi, &found, flag, status);
    *index = *flag && found != MPI_UNDEFINED ? batch_index(&batch, found) : MPI_UNDEFINED;
    *flag = *flag && (found != MPI_UNDEFINED || batch.active == 0); /* ours are under way, though MPI has none */
  } else {
    *flag = batch.active == 0;
    if (*flag)
      status_empty(status);
  }
  return end_look(&batch, !*flag, error);
}

int MPISHM_Request_get_status_some(int incount, MPISHM_CONST_REQUESTS MPI_Request requests[], int *outcount,
                                   int indices[], MPI_Status statuses[]) {
  struct batch batch;
  struct failure failure = {NULL};
  int n = 0, error = MPI_SUCCESS;
  runtime_enter_with(CALL_REQUEST_GET_STATUS_SOME, incount, (MPI_Request *)requests);
  enum batch_kind kind = open_for_looking(&batch, outcount && indices, incount, requests);
  if (kind != BATCH_MIXED)
    return runtime_return(kind == BATCH_ALL_MPI
                              ? mpi_first.Request_get_status_some(incount, requests, outcount, indices, statuses)
                              : raise_no_memory(MPI_COMM_WORLD));
  bool idle = batch.active == 0;
  for (int i = 0; i < incount; i++) {
    const struct batch_entry *entry = &batch.entries[i];
    if (entry->kind != REQUEST_SENT && !(entry->kind == REQUEST_OURS && operation_poll(entry->op)))
      continue;
    MPI_Status *status = status_at(statuses, n);
    int one = look_at(entry, status, &failure);
    if (status != MPI_STATUS_IGNORE)
      status->MPI_ERROR = one;
    indices[n++] = i;
  }
  if (batch.mpi_count) {
    int found = 0;
    error = mpi_first.Request_get_status_some(batch.mpi_count, batch.mpi, &found, indices + n,
                                              statuses == MPI_STATUSES_IGNORE ? MPI_STATUSES_IGNORE : &statuses[n]);
    idle = idle && found == MPI_UNDEFINED;
    for (int k = 0; found != MPI_UNDEFINED && k < found; k++, n++)
      indices[n] = batch_index(&batch, indices[n]);
  }
  *outcount = idle ? MPI_UNDEFINED : n;
  return end_look(&batch, !idle && n == 0, failure_raise(&failure, error));
}

#endif
