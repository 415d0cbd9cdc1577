/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The barrier. The members on a node tell their leader that they have come, and it tells them when all nodes have.
 */
#include "leaders/between.h"
#include "leaders/meeting.h"
#include "leaders/served.h"

/* By dissemination (Hensgen, Finkel, Manber 1988). */
static int meet_other_nodes(const struct leaders *leaders) {
  const struct message nothing = message_of_bytes(NULL, 0);
  int count = leaders->nodes->count, error = MPI_SUCCESS;
  for (int distance = 1; distance < count; distance *= 2) {
    int to = rank_on_node(leaders, (leaders->node + distance) % count, 0);
    int from = rank_on_node(leaders, (leaders->node + count - distance) % count, 0);
    error = worse(error, between_exchange(leaders, nothing, to, nothing, from, BETWEEN_BARRIERS));
  }
  return error;
}

int leaders_Barrier(MPI_Comm comm) {
  int error = MPI_SUCCESS;
  runtime_lock();
  struct leaders *leaders = leaders_find(comm, CALL_BARRIER);
  if (leaders && is_left_to_library(leaders->communicator, COUNTED_BARRIER))
    leaders = NULL;
  if (leaders) {
    struct collective collective = collective_begin(leaders->here);
    if (is_leader(&collective)) {
      meeting_hear(&collective);
      error = meet_other_nodes(leaders);
      publish_slot(&collective, own_slot(&collective), SLOT_DATA, 0);
    } else {
      publish_slot(&collective, own_slot(&collective), SLOT_DATA, 0);
      hear(&collective, LEADER);
    }
    meeting_end(&collective);
    between_raise(leaders, error);
  }
  runtime_unlock();
  return leaders ? error : mpi_first.Barrier(comm);
}
