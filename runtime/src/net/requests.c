/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Requests of ours in the hands of code that was not rewritten. Arrays may mix them with MPI's own.
 */
#include "net/serving.h"
#include "point_to_point/at_once.h"
#include "point_to_point/completion.h"

NET HOT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  NET_SERVE_AT_ONCE(net.requests_at_once && request, (request, status, NET_SITE),
                    net_has_request(request, CALL_WAIT, NET_SITE), CALL_WAIT, Wait, (request, status));
}

/* Many requests would need memory, which is not asked for before one of them is ours. */
NET HOT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  NET_SERVE_AT_ONCE(net.requests_at_once && count <= BATCH_SMALL, (count, requests, statuses, NET_SITE),
                    net_has_any(count, requests), CALL_WAITALL, Waitall, (count, requests, statuses));
}

NET int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  NET_SERVE(net_has_any(count, requests), CALL_WAITANY, Waitany, (count, requests, index, status));
}

NET int MPI_Waitsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]) {
  NET_SERVE(net_has_any(incount, requests), CALL_WAITSOME, Waitsome, (incount, requests, outcount, indices, statuses));
}

NET int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  NET_SERVE_AT_ONCE(net.requests_at_once && request && flag, (request, flag, status, NET_SITE),
                    net_has_request(request, CALL_TEST, NET_SITE), CALL_TEST, Test, (request, flag, status));
}

NET int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  NET_SERVE(net_has_any(count, requests), CALL_TESTALL, Testall, (count, requests, flag, statuses));
}

NET int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  NET_SERVE(net_has_any(count, requests), CALL_TESTANY, Testany, (count, requests, index, flag, status));
}

NET int MPI_Testsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]) {
  NET_SERVE(net_has_any(incount, requests), CALL_TESTSOME, Testsome, (incount, requests, outcount, indices, statuses));
}

NET int MPI_Request_free(MPI_Request *request) {
  NET_SERVE(net_has_request(request, CALL_REQUEST_FREE, NET_SITE), CALL_REQUEST_FREE, Request_free, (request));
}

NET int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  NET_SERVE(net_has_request(&request, CALL_REQUEST_GET_STATUS, NET_SITE), CALL_REQUEST_GET_STATUS, Request_get_status,
            (request, flag, status));
}

#ifdef MPISHM_HAVE_STATUSES
NET int MPI_Request_get_status_all(int count, MPISHM_CONST_REQUESTS MPI_Request requests[], int *flag,
                                   MPI_Status statuses[]) {
  NET_SERVE(net_has_any(count, requests), CALL_REQUEST_GET_STATUS_ALL, Request_get_status_all,
            (count, requests, flag, statuses));
}

NET int MPI_Request_get_status_any(int count, MPISHM_CONST_REQUESTS MPI_Request requests[], int *index, int *flag,
                                   MPI_Status *status) {
  NET_SERVE(net_has_any(count, requests), CALL_REQUEST_GET_STATUS_ANY, Request_get_status_any,
            (count, requests, index, flag, status));
}

NET int MPI_Request_get_status_some(int incount, MPISHM_CONST_REQUESTS MPI_Request requests[], int *outcount,
                                    int indices[], MPI_Status statuses[]) {
  NET_SERVE(net_has_any(incount, requests), CALL_REQUEST_GET_STATUS_SOME, Request_get_status_some,
            (incount, requests, outcount, indices, statuses));
}
#endif

NET int MPI_Cancel(MPI_Request *request) {
  NET_SERVE(net_has_request(request, CALL_CANCEL, NET_SITE), CALL_CANCEL, Cancel, (request));
}

NET int MPI_Start(MPI_Request *request) {
  NET_SERVE_AT_ONCE(net.requests_at_once && request, (request, NET_SITE),
                    net_has_request(request, CALL_START, NET_SITE), CALL_START, Start, (request));
}

static bool begins_with_ours(int count, const MPI_Request requests[]) {
  struct operation *op;
  return count > 0 && requests && net_is_ours(requests[0], &op);
}

NET int MPI_Startall(int count, MPI_Request requests[]) {
  NET_SERVE_AT_ONCE(net.requests_at_once && begins_with_ours(count, requests), (count, requests, NET_SITE),
                    net_has_persistent(count, requests, CALL_STARTALL, NET_SITE), CALL_STARTALL, Startall,
                    (count, requests));
}

/* MPI waits for what is pending (MPI 3.1, 10.5.4), of which it knows nothing where the runtime has it: then buffers of
 * requests that were freed may be used again. */
NET int MPI_Comm_disconnect(MPI_Comm *comm) {
  runtime_lock();
  const struct communicator *communicator = mpishm.active && comm ? communicator_find(*comm) : NULL;
  if (communicator)
    orphans_wait(communicator);
  runtime_unlock();
  return mpi_next.Comm_disconnect(comm);
}

MPISHM_COMPLETIONS(OWN)
