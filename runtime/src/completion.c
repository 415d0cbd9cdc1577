/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: completion of one request, and of all.
 */
#include "completion.h"
#include "mpishm.h"

/* Ends a done operation that a request stands for. Does not raise its error. */
int request_finish(struct operation *op, MPI_Request *request, MPI_Status *status) {
  int error = operation_status(op, status);
  request_retire(op, request);
  return error;
}

/* The same, raised: a completion of one request reports to the message's communicator. */
static int finish_and_raise(struct operation *op, MPI_Request *request, MPI_Status *status) {
  int error = operation_status(op, status);
  if (error != MPI_SUCCESS)
    operation_raise(op, error);
  request_retire(op, request);
  return error;
}

enum request_kind request_classify(MPI_Request request, struct operation **op) {
  *op = NULL;
  if (request == MPI_REQUEST_NULL)
    return REQUEST_NULL;
  if (request == sent_request)
    return REQUEST_SENT;
  *op = request_find(request);
  if (!*op)
    return REQUEST_MPI;
  return (*op)->persistent && !(*op)->persistent->active ? REQUEST_INACTIVE : REQUEST_OURS;
}

int MPISHM_Wait(MPI_Request *request, MPI_Status *status) {
  struct operation *op;
  if (!request)
    return MPI_Wait(request, status);
  runtime_enter();
  int error = MPI_SUCCESS;
  switch (request_classify(*request, &op)) {
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
    runtime_leave();
    return MPI_Wait(request, status);
  }
  runtime_leave();
  return error;
}

int MPISHM_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  struct operation *op;
  if (!request || !flag)
    return MPI_Test(request, flag, status);
  runtime_enter();
  int error = MPI_SUCCESS;
  switch (request_classify(*request, &op)) {
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
    runtime_leave();
    return MPI_Test(request, flag, status);
  }
  runtime_leave();
  return error;
}

int MPISHM_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  struct operation *op;
  runtime_enter();
  enum request_kind kind = request_classify(request, &op);
  if (!flag || kind == REQUEST_MPI || kind == REQUEST_NULL) {
    runtime_leave();
    return MPI_Request_get_status(request, flag, status);
  }
  int error = MPI_SUCCESS;
  bool empty = kind == REQUEST_SENT || kind == REQUEST_INACTIVE;
  *flag = empty || operation_poll(op);
  if (empty)
    status_empty(status);
  else if (*flag)
    error = operation_status(op, status);
  else
    tested_in_vain();
  runtime_leave();
  return error;
}

int MPISHM_Request_free(MPI_Request *request) {
  struct operation *op;
  if (!request)
    return MPI_Request_free(request);
  runtime_enter();
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
    runtime_leave();
    return MPI_Request_free(request);
  }
  *request = MPI_REQUEST_NULL;
  runtime_leave();
  return MPI_SUCCESS;
}

int MPISHM_Cancel(MPI_Request *request) {
  struct operation *op;
  if (!request)
    return MPI_Cancel(request);
  runtime_enter();
  enum request_kind kind = request_classify(*request, &op);
  if (kind == REQUEST_OURS)
    operation_cancel(op);
  runtime_leave();
  return kind == REQUEST_MPI || kind == REQUEST_NULL ? MPI_Cancel(request) : MPI_SUCCESS;
}

/* ---- Arrays. ---- */

enum batch_kind batch_open(struct batch *batch, int count, MPI_Request requests[]) {
  if (count <= 0 || !requests)
    return BATCH_ALL_MPI;
  batch->count = count; /* field by field: clearing all of it would cost more than the call */
  batch->ours = batch->active = batch->mpi_count = 0;
  batch->entries = batch->small;
  batch->mpi = batch->small_mpi;
  batch->mpi_statuses = batch->small_statuses;
  if (count > BATCH_SMALL) {
    size_t n = (size_t)count;
    batch->entries = malloc(n * (sizeof *batch->entries + sizeof *batch->mpi + sizeof *batch->mpi_statuses));
    if (!batch->entries)
      return BATCH_NO_MEMORY;
    batch->mpi = (MPI_Request *)(batch->entries + n); /* pointers or integers: aligned after the entries */
    batch->mpi_statuses = (MPI_Status *)(batch->mpi + n);
  }
  for (int i = 0; i < count; i++) {
    struct batch_entry *entry = &batch->entries[i];
    entry->kind = request_classify(requests[i], &entry->op);
    batch->ours += entry->kind != REQUEST_NULL && entry->kind != REQUEST_MPI;
    batch->active += entry->kind == REQUEST_OURS || entry->kind == REQUEST_SENT;
    if (entry->kind == REQUEST_MPI) {
      entry->mpi_index = batch->mpi_count;
      batch->mpi[batch->mpi_count++] = requests[i];
    }
  }
  if (batch->ours)
    return BATCH_MIXED;
  batch_close(batch);
  return BATCH_ALL_MPI;
}

void batch_close(struct batch *batch) {
  if (batch->entries != batch->small)
    free(batch->entries);
}

int raise_no_memory(void) {
  PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
  return MPI_ERR_NO_MEM;
}

void failure_note(struct failure *failure, const struct operation *op, int error) {
  if (error == MPI_SUCCESS || failure->communicator)
    return;
  failure->communicator = op->communicator;
  failure->communicator->references++;
}

int failure_raise(struct failure *failure, int error) {
  if (!failure->communicator)
    return error;
  struct operation op = {.communicator = failure->communicator};
  if (error == MPI_SUCCESS)
    error = operation_raise(&op, MPI_ERR_IN_STATUS);
  communicator_release(failure->communicator);
  return error;
}

/* ---- All. ---- */

/* Ends every message of ours and takes over what MPI did with its own; all are done. */
static int finish_all(struct batch *batch, MPI_Request requests[], MPI_Status statuses[], int mpi_error) {
  struct failure failure = {NULL};
  for (int i = 0; i < batch->count; i++) {
    struct batch_entry *entry = &batch->entries[i];
    MPI_Status *status = status_at(statuses, i);
    if (entry->kind == REQUEST_MPI) {
      requests[i] = batch->mpi[entry->mpi_index];
      if (status != MPI_STATUS_IGNORE)
        *status = batch->mpi_statuses[entry->mpi_index];
    } else if (entry->kind == REQUEST_OURS) {
      int error = operation_status(entry->op, MPI_STATUS_IGNORE);
      failure_note(&failure, entry->op, error);
      request_finish(entry->op, &requests[i], status);
      if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = error;
    } else {
      status_empty(status);
      if (entry->kind == REQUEST_SENT)
        requests[i] = MPI_REQUEST_NULL;
      if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = MPI_SUCCESS;
    }
  }
  return failure_raise(&failure, mpi_error);
}

static void wait_for_ours(struct batch *batch) {
  /* Receives first: what has come is copied before this rank looks after its sends, which their receivers serve. */
  for (int sends = 0; sends < 2; sends++)
    for (int i = 0; i < batch->count; i++)
      if (batch->entries[i].kind == REQUEST_OURS && batch->entries[i].op->is_send == (bool)sends)
        operation_wait(batch->entries[i].op);
}

int MPISHM_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  struct batch batch;
  runtime_enter();
  enum batch_kind kind = batch_open(&batch, count, requests);
  if (kind == BATCH_MIXED)
    wait_for_ours(&batch);
  runtime_leave();
  if (kind != BATCH_MIXED)
    return kind == BATCH_ALL_MPI ? MPI_Waitall(count, requests, statuses) : raise_no_memory();
  int mpi_error = MPI_SUCCESS;
  if (batch.mpi_count)
    mpi_error = MPI_Waitall(batch.mpi_count, batch.mpi, batch_mpi_statuses(&batch, statuses));
  runtime_enter();
  int error = finish_all(&batch, requests, statuses, mpi_error);
  runtime_leave();
  batch_close(&batch);
  return error;
}

/* True when MPI would complete all of its own now; completes none. */
static bool mpi_all_ready(const struct batch *batch) {
  for (int i = 0; i < batch->mpi_count; i++) {
    int flag = 0;
    if (PMPI_Request_get_status(batch->mpi[i], &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return true; /* let MPI_Testall report it */
    if (!flag)
      return false;
  }
  return true;
}

static bool test_all_ours(struct batch *batch) {
  bool done = true;
  for (int i = 0; i < batch->count; i++)
    if (batch->entries[i].kind == REQUEST_OURS)
      done = operation_poll(batch->entries[i].op) && done;
  return done;
}

int MPISHM_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  struct batch batch;
  runtime_enter();
  enum batch_kind kind = flag ? batch_open(&batch, count, requests) : BATCH_ALL_MPI;
  if (kind != BATCH_MIXED) {
    runtime_leave();
    return kind == BATCH_ALL_MPI ? MPI_Testall(count, requests, flag, statuses) : raise_no_memory();
  }
  int error = MPI_SUCCESS, mpi_error = MPI_SUCCESS;
  *flag = test_all_ours(&batch) && mpi_all_ready(&batch);
  if (*flag) {
    if (batch.mpi_count)
      mpi_error = MPI_Testall(batch.mpi_count, batch.mpi, flag, batch_mpi_statuses(&batch, statuses));
    *flag = 1;
    error = finish_all(&batch, requests, statuses, mpi_error);
  } else {
    tested_in_vain();
  }
  runtime_leave();
  batch_close(&batch);
  return error;
}
