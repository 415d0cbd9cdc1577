/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: persistent requests. The route is found once; each start is then as cheap as a message can be.
 */
#include "messages/receiving.h"
#include "messages/sending.h"
#include "messages/through_mpi.h"
#include "messages/wildcards.h"
#include "mpishm.h"
#include "next/next.h"
#include "point_to_point/at_once.h"
#include "point_to_point/completion.h"
#include "requests/plain.h"
#include "requests/requests.h"
#include "watch/enter.h"

#include <stdlib.h>

/* Where to find MPI's own function for a call, with small counts or with large ones (MPI 4); the other is NULL. */
struct mpi_init {
  int (**init)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
  int (**init_c)(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
};

/* What other nodes send to a wildcard is received by a persistent request of MPI's, which keeps communicator and
 * datatype alive for as long as ours may be started. False: MPI refuses. */
static bool init_elsewhere(struct persistent *what, MPI_Datatype datatype, MPI_Comm comm, int *error) {
  what->elsewhere = MPI_REQUEST_NULL;
  if (!what->is_send && wildcard_looks_elsewhere(what->route.communicator, what->peer))
    *error = recv_init_through_mpi(what->buffer, what->count, datatype, what->peer, what->tag, comm, &what->elsewhere);
  return *error == MPI_SUCCESS;
}

static struct operation *make_persistent(const struct persistent *what) {
  struct operation *op = request_new();
  struct persistent *persistent = op ? malloc(sizeof *persistent) : NULL;
  if (persistent) {
    *persistent = *what;
    persistent->piece = plain_piece(what);
    persistent->filled = false;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): route_find has found it */
    persistent->route.communicator->references++;
    layout_retain(persistent->route.layout);
    op->persistent = persistent;
    op->done = true; /* as between any two starts */
    op->unrewritten = persistent->context & CONTEXT_UNREWRITTEN;
  } else if (op) {
    request_discard(op);
    op = NULL;
  }
  return op;
}

/* Entered already. False when the message is MPI's; then the call is left to MPI. */
static bool init(struct persistent *what, MPI_Datatype datatype, MPI_Comm comm, MPI_Request *request, int *error) {
  enum route_kind kind = request ? route_find(&what->route, what->buffer, what->count, datatype, what->peer, what->tag,
                                              comm, !what->is_send)
                                 : ROUTE_INVALID;
  if (kind != ROUTE_NODE) {
    if (mpishm.watching && kind == ROUTE_MPI)
      watch_mpi(what->is_send, what->count, datatype, what->peer, what->tag, comm);
    runtime_unlock();
    return false;
  }
  if (mpishm.watching)
    what->by = (struct origin){watch_call()->site, (int)watch_call()->call};
  what->context = envelope_of(what->route.communicator, what->tag).context;
  if (UNLIKELY(unrewritten.site))
    what->by = unrewritten;
  *error = MPI_SUCCESS;
  struct operation *op = init_elsewhere(what, datatype, comm, error) ? make_persistent(what) : NULL;
  if (op)
    *request = op->handle;
  else if (what->elsewhere != MPI_REQUEST_NULL)
    PMPI_Request_free(&what->elsewhere);
  runtime_leave();
  if (!op && *error == MPI_SUCCESS)
    *error = raise_no_memory(comm);
  return true;
}

/* Entered already; ends the call. */
static int send_init(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     MPI_Request *request, enum send_mode mode, const struct mpi_init *mpi) {
  struct persistent what = {
      .buffer = (void *)buf, .count = count, .peer = dest, .tag = tag, .is_send = true, .mode = mode};
  int error;
  if (!init(&what, datatype, comm, request, &error))
    return runtime_return_request(mpi->init ? (*mpi->init)(buf, (int)count, datatype, dest, tag, comm, request)
                                            : (*mpi->init_c)(buf, count, datatype, dest, tag, comm, request),
                                  request);
  return error;
}

#define COUNTED "point_to_point/persistent_calls.h"
#include "point_to_point/counted.h"

/* ---- Starting. ---- */

static void start(struct operation *op) {
  struct persistent *p = op->persistent;
  struct envelope envelope = {p->context, p->tag};
  p->active = true;
  p->filled = false;
  if (p->repeated) {
    p->repeated->start(op);
    return;
  }
  if (UNLIKELY(mpishm.watching))
    watch_charge((enum call)p->by.call, p->by.site);
  if (!p->is_send) {
    receive_start(op, p->route, envelope, p->buffer, p->count, MPI_DATATYPE_NULL, p->peer, &p->by);
  } else if (send_eager(p->route, envelope, p->buffer, p->count, p->mode,
                        nonblocking_limit(p->route.endpoint, p->buffer, p->route.bytes))) {
    /* Done: all that its completion needs. */
    op->is_send = op->done = true;
    op->crosses = false;
    op->unrewritten = p->context & CONTEXT_UNREWRITTEN;
    op->error = MPI_SUCCESS;
    op->path = PATH_NONE;
    op->layout = NULL;
    op->communicator = p->route.communicator;
    op->communicator->references++;
  } else {
    send_start(op, p->route, envelope, p->buffer, p->count, p->peer, p->mode);
  }
}

/* False when it is MPI's to start, or to refuse. `by`: the call, if it was not rewritten; else NULL. */
static inline bool start_ours(MPI_Request request, const struct origin *by) {
  struct operation *op;
  bool ours = request_classify(request, &op) == REQUEST_INACTIVE;
  if (ours && by)
    note_request(request, op, by);
  if (ours)
    start(op);
  else if (UNLIKELY(mpishm.watching))
    watch_mpi_start(request);
  return ours;
}

/* Starts those at the beginning of an array that are plain, and returns how many these were. */
static inline int start_first(int count, const MPI_Request requests[], bool is_unrewritten) {
  int i = 0;
  if (UNLIKELY(mpishm.attended || !mpishm.active))
    return 0;
  while (i < count && plain_start(requests[i], is_unrewritten))
    i++;
  return i;
}

HOT int MPISHM_Start(MPI_Request *request) {
  if (!request)
    return mpi_first.Start(request);
  if (start_first(1, request, false) == 1)
    return MPI_SUCCESS;
  runtime_enter_with(CALL_START, 1, request);
  if (!start_ours(*request, NULL)) {
    runtime_unlock();
    return runtime_return(mpi_first.Start(request));
  }
  runtime_leave();
  return MPI_SUCCESS;
}

HOT int serve_Start(MPI_Request *request, const void *site) {
  const struct origin by = {site, CALL_START};
  if (start_first(1, request, true) == 1)
    return MPI_SUCCESS;
  return start_ours(*request, &by) ? MPI_SUCCESS : mpi_next.Start(request);
}

/* Entered already. */
static inline int start_all(int count, MPI_Request requests[], const struct origin *by) {
  int error = MPI_SUCCESS;
  for (int i = 0; i < count && error == MPI_SUCCESS; i++)
    if (!start_ours(requests[i], by)) {
      runtime_unlock();
      error = mpi_first.Start(&requests[i]);
      runtime_lock();
    }
  return error;
}

HOT int MPISHM_Startall(int count, MPI_Request requests[]) {
  if (count <= 0 || !requests)
    return mpi_first.Startall(count, requests);
  int first = start_first(count, requests, false);
  if (first == count)
    return MPI_SUCCESS;
  runtime_enter_with(CALL_STARTALL, count, requests);
  int error = start_all(count - first, requests + first, NULL);
  runtime_leave();
  return error;
}

HOT int serve_Startall(int count, MPI_Request requests[], const void *site) {
  const struct origin by = {site, CALL_STARTALL};
  int first = start_first(count, requests, true);
  return first == count ? MPI_SUCCESS : start_all(count - first, requests + first, &by);
}
