/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: probes. What has come from this node is found among the messages that no receive was posted for, what
 * comes from other nodes by MPI.
 */
#include "messages/statuses.h"
#include "messages/wildcards.h"
#include "mpishm.h"
#include "watch/enter.h"
#include "watch/waiting.h"

/* What a probe asks for: from ranks of this node, of other nodes, or both. */
struct probe {
  struct communicator *communicator;
  int source, tag;
  bool here, elsewhere;
};

/* False: the call is MPI's, to do or to refuse. */
static bool find_probe(struct probe *probe, int source, int tag, MPI_Comm comm) {
  struct communicator *communicator = communicator_find(comm);
  bool any_source = source == MPI_ANY_SOURCE;
  if (!communicator || (!any_source && (source < 0 || source >= communicator->size)) ||
      (tag != MPI_ANY_TAG && (tag < 0 || tag > mpishm.tag_ub)))
    return false;
  *probe = (struct probe){.communicator = communicator,
                          .source = source,
                          .tag = tag,
                          .here = any_source || communicator->node_rank[source] >= 0,
                          .elsewhere = any_source && communicator->local_count < communicator->size};
  return probe->here;
}

static bool probe_here(const struct probe *probe, MPI_Status *status) {
  int source;
  const struct unexpected *message = wildcards_peek(probe->communicator, probe->source, probe->tag, &source);
  if (message && status != MPI_STATUS_IGNORE)
    status_fill_message(status, source, message->envelope.tag, message->arrival.bytes);
  return message != NULL;
}

static bool probe_elsewhere(const struct probe *probe, MPI_Status *status, int *error) {
  int found = 0;
  if (probe->elsewhere)
    *error = PMPI_Iprobe(probe->source, probe->tag, probe->communicator->handle, &found, status);
  return found || *error != MPI_SUCCESS;
}

/* One look. Where a message is found is where the next wildcard looks first: a receive may ask what this probe asks. */
static bool probe_once(const struct probe *probe, MPI_Status *status, int *error) {
  struct communicator *communicator = probe->communicator;
  bool before = communicator->mpi_first && probe_elsewhere(probe, status, error);
  bool here = !before && probe_here(probe, status);
  bool after = !before && !here && !communicator->mpi_first && probe_elsewhere(probe, status, error);
  if (before || here || after)
    communicator->mpi_first = !here;
  return before || here || after;
}

int MPISHM_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  struct probe probe;
  struct waiter waiter = {0};
  int error = MPI_SUCCESS;
  runtime_enter(CALL_PROBE);
  if (!find_probe(&probe, source, tag, comm)) {
    if (mpishm.watching)
      watch_probe(source, tag, comm);
    runtime_unlock();
    if (mpishm.watching)
      watch_mpi_receive(source, tag, comm);
    return runtime_return(MPI_Probe(source, tag, comm, status));
  }
  if (mpishm.watching)
    watch_probe(source, tag, comm);
  while (!probe_once(&probe, status, &error))
    waiter_pause(&waiter);
  runtime_leave();
  return error;
}

int MPISHM_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  struct probe probe;
  int error = MPI_SUCCESS;
  runtime_enter(CALL_IPROBE);
  if (!flag || !find_probe(&probe, source, tag, comm)) {
    runtime_unlock();
    return runtime_return(MPI_Iprobe(source, tag, comm, flag, status));
  }
  *flag = probe_once(&probe, status, &error);
  if (!*flag)
    tested_in_vain();
  runtime_leave();
  return error;
}
