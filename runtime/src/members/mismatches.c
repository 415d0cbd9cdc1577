/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A blocking call that waits for a member which waits for it in another one, with nobody in between who could go on,
 * waits for ever: neither thread of theirs can come to what the other needs, and no other one of their processes may
 * call a collective of that communicator meanwhile. That is seen in what they tell of long waits, and believed when
 * each has looked in vain again, long after it was first seen.
 */
#include "members/mismatches.h"
#include "channel/long_waits.h"
#include "node/warnings.h"
#include "node/window.h"
#include "watch/words.h"

#include <stdlib.h>
#include <unistd.h>

enum {
  MOST_IN_CYCLE = 8,
  BELIEVED_MILLISECONDS = 1000, /* after what was seen, */
  LOOKED_MILLISECONDS = 500     /* and each has looked again */
};

/* Ranks of the node, each of which waits for the next and the last one for the first, which is this one. */
struct cycle {
  int count;
  int ranks[MOST_IN_CYCLE];
  struct long_wait_told waits[MOST_IN_CYCLE];
};

static uint64_t milliseconds(void) { return watch_clock() / 1000000; }

/* False: there is none. */
static bool find_cycle(struct cycle *cycle) {
  int rank = mpishm.node_rank;
  for (cycle->count = 0; cycle->count < MOST_IN_CYCLE;) {
    struct long_wait_told wait = long_wait_look(endpoint_opened(rank)->segment);
    if (!wait.last_milliseconds || (cycle->count > 0 && wait.context != cycle->waits[0].context))
      return false;
    cycle->ranks[cycle->count] = rank;
    cycle->waits[cycle->count++] = wait;
    rank = wait.awaited;
    if (rank == mpishm.node_rank)
      return true;
  }
  return false;
}

static bool differ(const struct cycle *cycle) {
  for (int i = 1; i < cycle->count; i++)
    if ((cycle->waits[i].call ^ cycle->waits[0].call) & ~CONTEXT_UNREWRITTEN)
      return true;
  return false;
}

static bool same_cycle(const struct cycle *a, const struct cycle *b) {
  bool same = a->count == b->count;
  for (int i = 0; same && i < a->count; i++)
    same = a->ranks[i] == b->ranks[i] && a->waits[i].number == b->waits[i].number &&
           a->waits[i].call == b->waits[i].call && a->waits[i].context == b->waits[i].context;
  return same;
}

static bool all_have_looked(const struct cycle *cycle, uint64_t since) {
  bool all = true;
  for (int i = 0; i < cycle->count; i++)
    all &= cycle->waits[i].last_milliseconds >= since;
  return all;
}

static void warn_of_cycle(const struct communicator *communicator, const struct cycle *cycle) {
  char name[MPI_MAX_OBJECT_NAME], text[MOST_IN_CYCLE * 80] = "";
  size_t at = 0;
  name_communicator(communicator->handle, name);
  for (int i = 0; i < cycle->count; i++) {
    int member = communicator_member_on_node(communicator, cycle->ranks[i]);
    int awaited = communicator_member_on_node(communicator, cycle->waits[i].awaited);
    if (member < 0 || awaited < 0)
      return;
    at += (size_t)snprintf(text + at, sizeof text - at, "%srank %d in MPI_%s for rank %d", i == 0 ? "" : ", ",
                           rank_of_member(communicator, (unsigned)member), mpi_name(cycle->waits[i].call >> 1),
                           rank_of_member(communicator, (unsigned)awaited));
  }
  warn_once(WARN_MISMATCH, "members of %s call different collectives, and wait for one another for ever: %s", name,
            text);
}

void mismatch_look(const struct communicator *communicator, unsigned place, bool begins) {
  static uint32_t number;
  static struct cycle seen;
  static uint64_t seen_at;
  struct cycle cycle;
  uint64_t now = milliseconds();
  number = (number + begins) & 0xffffff;
  long_wait_tell(mpishm.segment, (struct long_wait_told){communicator->context, communicator->call,
                                                         (uint16_t)communicator->node_rank[place], number, now});
  if (!find_cycle(&cycle) || !differ(&cycle)) {
    seen.count = 0;
  } else if (!same_cycle(&cycle, &seen)) {
    seen = cycle;
    seen_at = now;
  } else if (now >= seen_at + BELIEVED_MILLISECONDS && all_have_looked(&cycle, seen_at + LOOKED_MILLISECONDS)) {
    warn_of_cycle(communicator, &cycle);
  }
}

void mismatch_end(const struct communicator *communicator, unsigned place, uint16_t call) {
  char name[MPI_MAX_OBJECT_NAME];
  name_communicator(communicator->handle, name);
  fprintf(stderr,
          "mpishm: error: members of %s call different collectives: rank %d calls MPI_%s where rank %d has called "
          "MPI_%s; the job ends\n",
          name, rank_of_member(communicator, (unsigned)communicator->rank), mpi_name(communicator->call >> 1),
          rank_of_member(communicator, place), mpi_name(call >> 1));
  sleep(1); /* launchers drop what a rank says right before it aborts */
  PMPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}
