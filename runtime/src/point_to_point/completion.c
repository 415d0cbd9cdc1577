/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: completion of one request.
 */
#include "point_to_point/completion.h"
#include "messages/statuses.h"
#include "mpishm.h"
#include "next/next.h"
#include "point_to_point/at_once.h"
#include "requests/requests.h"
#include "watch/enter.h"
#include "watch/slips.h"
#include "watch/waiting.h"

int finish_and_raise(struct operation *op, enum error_in in, MPI_Request *request, MPI_Status *status) {
  operation_status(op, status);
  int error = operation_raise(op, in);
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
    error = finish_and_raise(op, ERROR_IN_COMPLETION, request, status);
    break;
  default:
    runtime_unlock_to_wait(1, request, true);
    return runtime_return(mpi->Wait(request, status));
  }
  runtime_leave();
  return error;
}

/* finish_plain, where that may be tried. */
static inline bool wait_plain(MPI_Request *request, MPI_Status *status, bool is_unrewritten) {
  return request && !UNLIKELY(mpishm.attended || !mpishm.active) && finish_plain(request, status, is_unrewritten);
}

NOINLINE HOT static int wait_any(MPI_Request *request, MPI_Status *status) {
  if (!request)
    return mpi_first.Wait(request, status);
  runtime_enter_come(CALL_WAIT, 1, request);
  return wait_one(request, status, &mpi_first, NULL);
}

HOT int MPISHM_Wait(MPI_Request *request, MPI_Status *status) {
  if (!unrewritten.site && wait_plain(request, status, false))
    return MPI_SUCCESS;
  runtime_come();
  return wait_any(request, status);
}

NOINLINE HOT static int serve_wait_any(MPI_Request *request, MPI_Status *status, const void *site) {
  const struct origin by = {site, CALL_WAIT};
  return wait_one(request, status, &mpi_next, &by);
}

HOT int serve_Wait(MPI_Request *request, MPI_Status *status, const void *site) {
  if (wait_plain(request, status, true))
    return MPI_SUCCESS;
  return serve_wait_any(request, status, site);
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
      error = finish_and_raise(op, ERROR_IN_COMPLETION, request, status);
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
