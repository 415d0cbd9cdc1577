/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what each member has for its neighbours in a virtual topology.
 */
#include "members/sides.h"
#include "mpishm.h"
#include "next/next.h"
#include "portions/neighborhood.h"
#include "watch/enter.h"

/* Nobody waits for all, nor hears all. */
static struct collective neighbors_begin(struct communicator *communicator) {
  struct collective collective = collective_begin(communicator);
  collective.is_rooted = true;
  return collective;
}
/* True: it is MPI's after all, as the arguments of this member want, or those of one that it has heard. */
static bool neighbors_end(struct collective *collective, int *error) {
  epoch_end(&collective->communicator->seat);
  *error = collective->by_mpi ? MPI_SUCCESS : collective_raise(collective);
  return collective->by_mpi;
}

/* What a member has for itself, once at most. */
static void copy_to_itself(struct collective *collective, const struct neighborhood *neighborhood,
                           const struct part sent[], const struct part received[]) {
  unsigned place = collective->communicator->seat.place, to = 0, from = 0;
  while (to < neighborhood->destination_count && neighborhood->destinations[to] != place)
    to++;
  while (from < neighborhood->source_count && neighborhood->sources[from] != place)
    from++;
  if (to < neighborhood->destination_count && from < neighborhood->source_count)
    copy_own_part(collective, &received[from], &sent[to]);
}

static bool exchange_with_neighbors(struct communicator *communicator, const struct neighborhood *neighborhood,
                                    const struct part sent[], const struct part received[], int *error) {
  struct collective collective = neighbors_begin(communicator);
  const unsigned to = neighborhood->destination_count, from = neighborhood->source_count;
  bool is_parcel_to[to + 1], is_parcel_from[from + 1];
  struct operation sends[to + 1], receives[from + 1];
  struct portions out = {to, neighborhood->destinations, sent, is_parcel_to, sends};
  struct portions in = {from, neighborhood->sources, received, is_parcel_from, receives};
  bool any_parcel = portions_give(&collective, &out);
  copy_to_itself(&collective, neighborhood, sent, received);
  any_parcel |= portions_take(&collective, &in);
  if (UNLIKELY(any_parcel))
    portions_wait(&collective, &in, &out);
  return neighbors_end(&collective, error);
}

COLD static bool refuse(struct communicator *communicator, int *error) {
  struct collective collective = neighbors_begin(communicator);
  publish_refusal(&collective);
  return neighbors_end(&collective, error);
}

/* Entered already. True: the call is MPI's. `to_all`: what is sent is the same for all. */
static bool with_neighbors(enum call call, MPI_Comm comm, bool to_all, const struct side *send,
                           const struct side *receive, int *error) {
  struct communicator *communicator = collective_find(comm, call);
  const struct neighborhood *neighborhood = communicator ? neighborhood_of(communicator) : NULL;
  if (!neighborhood)
    return true;
  const unsigned to = neighborhood->destination_count, from = neighborhood->source_count;
  struct part sent[to + 1], received[from + 1];
  if (!find_parts_with(send, to_all, neighborhood->destinations, to, sent))
    return are_wrong(send, to_all ? to > 0 : to, receive, from) || refuse(communicator, error);
  bool may_receive = find_parts_with(receive, false, neighborhood->sources, from, received);
  bool by_mpi = may_receive ? exchange_with_neighbors(communicator, neighborhood, sent, received, error)
                            : side_is_wrong(receive, from) || refuse(communicator, error);
  release_parts(sent, to);
  if (may_receive)
    release_parts(received, from);
  return by_mpi;
}

#define COUNTED "collectives/neighbors_calls.h"
#include "point_to_point/counted.h"
