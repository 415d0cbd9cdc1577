/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: probes, plain and matched. What has come from this node is found among the messages that no receive was
 * posted for, what comes from other nodes by MPI.
 */
#include "messages/statuses.h"
#include "messages/wildcards.h"
#include "mpishm.h"
#include "next/next.h"
#include "requests/message_handles.h"
#include "watch/enter.h"
#include "watch/slips.h"
#include "watch/waiting.h"

/* What a probe asks for: from ranks of this node, of other nodes, or both. */
struct probe {
  struct communicator *communicator;
  int source, tag;
  bool here, elsewhere;
  MPI_Message *message; /* a matched probe's; else NULL */
  MPI_Status *status;
};

/* False: the call is MPI's, to do or to refuse. */
static bool find_probe(struct probe *probe, int source, int tag, MPI_Comm comm, MPI_Message *message,
                       MPI_Status *status) {
  struct communicator *communicator = communicator_find(comm);
  bool any_source = source == MPI_ANY_SOURCE;
  if (!communicator || communicator->messages_by_mpi || (!any_source && (source < 0 || source >= communicator->size)) ||
      (tag != MPI_ANY_TAG && (tag < 0 || tag > mpishm.tag_ub)))
    return false;
  *probe = (struct probe){.communicator = communicator,
                          .source = source,
                          .tag = tag,
                          .here = any_source || communicator->node_rank[source] >= 0,
                          .elsewhere = any_source && communicator->local_count < communicator->size,
                          .message = message,
                          .status = status};
  return probe->here;
}

/* A rewritten probe has found a message of a call that was not rewritten, or the other way round. */
COLD static void found_across(const struct probe *probe, int source, int tag) {
  if (unrewritten.site)
    slip_receive((enum call)unrewritten.call, unrewritten.site, source, tag);
  else
    slip_send(probe->communicator->handle, source, tag);
}

static bool probe_here(const struct probe *probe, int *error) {
  int source;
  const struct unexpected *message = wildcards_peek(probe->communicator, probe->source, probe->tag, &source);
  if (!message)
    return false;
  if (UNLIKELY(envelopes_cross(envelope_of(probe->communicator, 0), message->envelope)))
    found_across(probe, source, message->envelope.tag);
  if (probe->status != MPI_STATUS_IGNORE)
    status_fill_message(probe->status, source, message->envelope.tag, message->arrival.bytes);
  if (probe->message) {
    struct held_message *held = message_hold(probe->communicator, source, message);
    *error = held ? MPI_SUCCESS : raise_no_memory(probe->communicator->handle);
    *probe->message = held ? held->handle : MPI_MESSAGE_NULL;
  }
  return true;
}

static bool probe_elsewhere(const struct probe *probe, int *error) {
  int found = 0;
  MPI_Comm comm = probe->communicator->handle;
  if (probe->elsewhere && probe->message)
    *error = PMPI_Improbe(probe->source, probe->tag, comm, &found, probe->message, probe->status);
  else if (probe->elsewhere)
    *error = PMPI_Iprobe(probe->source, probe->tag, comm, &found, probe->status);
  return found || *error != MPI_SUCCESS;
}

/* One look. Where a message is found is where the next wildcard looks first: a receive may ask what this probe asks. */
static bool probe_once(const struct probe *probe, int *error) {
  struct communicator *communicator = probe->communicator;
  bool before = communicator->mpi_first && probe_elsewhere(probe, error);
  bool here = !before && probe_here(probe, error);
  bool after = !before && !here && !communicator->mpi_first && probe_elsewhere(probe, error);
  if (before || here || after)
    communicator->mpi_first = !here;
  return before || here || after;
}

/* Entered already. */
static void probe_until_found(const struct probe *probe, int *error) {
  struct waiter waiter = {0};
  if (mpishm.watching)
    watch_probe(probe->source, probe->tag, probe->communicator->handle);
  while (!probe_once(probe, error))
    waiter_pause(&waiter);
}

/* Entered already: a probe that MPI does is about to wait. */
static void leave_probe_to_mpi(int source, int tag, MPI_Comm comm) {
  if (mpishm.watching)
    watch_probe(source, tag, comm);
  runtime_unlock();
  if (mpishm.watching)
    watch_mpi_receive(source, tag, comm);
}

int MPISHM_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  struct probe probe;
  int error = MPI_SUCCESS;
  runtime_enter(CALL_PROBE);
  if (!find_probe(&probe, source, tag, comm, NULL, status)) {
    leave_probe_to_mpi(source, tag, comm);
    return runtime_return(mpi_first.Probe(source, tag, comm, status));
  }
  probe_until_found(&probe, &error);
  runtime_leave();
  return error;
}

int MPISHM_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  struct probe probe;
  int error = MPI_SUCCESS;
  runtime_enter(CALL_IPROBE);
  if (!flag || !find_probe(&probe, source, tag, comm, NULL, status)) {
    runtime_unlock();
    return runtime_return(mpi_first.Iprobe(source, tag, comm, flag, status));
  }
  *flag = probe_once(&probe, &error);
  if (!*flag)
    tested_in_vain();
  runtime_leave();
  return error;
}

int MPISHM_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  struct probe probe;
  int error = MPI_SUCCESS;
  runtime_enter(CALL_MPROBE);
  if (!message || !find_probe(&probe, source, tag, comm, message, status)) {
    leave_probe_to_mpi(source, tag, comm);
    return runtime_return(mpi_first.Mprobe(source, tag, comm, message, status));
  }
  probe_until_found(&probe, &error);
  runtime_leave();
  return error;
}

int MPISHM_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  struct probe probe;
  int error = MPI_SUCCESS;
  runtime_enter(CALL_IMPROBE);
  if (!flag || !message || !find_probe(&probe, source, tag, comm, message, status)) {
    runtime_unlock();
    return runtime_return(mpi_first.Improbe(source, tag, comm, flag, message, status));
  }
  *flag = probe_once(&probe, &error);
  if (!*flag)
    tested_in_vain();
  runtime_leave();
  return error;
}
