/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what all have for one, and one has for all. What is short is a message for each member (varied.h). All
 * else meets in slots, and what finds no room there is a parcel, so that members, whose layouts may differ, need not
 * agree on the way.
 */
#include "collectives/aliases.h"
#include "collectives/portions.h"
#include "collectives/sides.h"
#include "collectives/trials.h"
#include "collectives/varied.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

/* Whether there is so little for each member that messages take less than slots, of which a member may be ahead of
 * others by a few only. MPI wants that size alike on all members. */
static bool is_short(const struct side *side) {
  size_t bytes;
  return side_bytes(side, &bytes) && bytes < TRIED_BYTES;
}

/* ---- What all have for one. ---- */

COLD static void give_parcel(struct collective *collective, unsigned root, const struct part *part) {
  struct operation op;
  publish_slot(collective, own_slot(collective), SLOT_PARCEL, 0);
  if (parcel_send(&op, collective->communicator, root, part))
    collective->error = parcel_complete(&op, collective->communicator, root);
}

/* Entered already, as all below; `send` is NULL where MPI is to refuse it. True: the call is MPI's. */
static bool give(struct communicator *communicator, unsigned root, const struct part *send, int *error) {
  struct collective collective = portions_begin(communicator);
  if (!send)
    publish_refusal(&collective);
  else if (send->bytes > slot_room(&communicator->seat))
    give_parcel(&collective, root, send);
  else
    publish_part(&collective, send, PUBLISH_TO_ALL);
  return portions_end(&collective, error);
}

/* `send` is NULL where it lies among what is received. */
static bool take_all(struct communicator *communicator, const struct part *send, const struct part receive[],
                     int *error) {
  const struct seat *seat = &communicator->seat;
  const unsigned members = seat->members;
  struct collective collective = portions_begin(communicator);
  bool any_parcel = false, is_parcel[members];
  struct operation ops[members];
  struct portions portions = {members, NULL, receive, is_parcel, ops};
  is_parcel[seat->place] = false;
  if (send)
    copy_own_part(&collective, &receive[seat->place], send);
  for (unsigned i = 1; i < members; i++) {
    unsigned from = (seat->place + i) % members;
    const struct slot *slot = hear(&collective, from);
    any_parcel |= is_parcel[from] = slot->kind == SLOT_PARCEL;
    if (slot->kind == SLOT_DATA)
      take_part(&collective, slot, from, &receive[from]);
  }
  if (UNLIKELY(any_parcel)) {
    portions_receive(&collective, &portions);
    portions_wait(&collective, &portions, NULL);
  }
  return portions_end(&collective, error);
}

/* MPI is to refuse the arguments of this member, and nobody waits for anything of it. */
COLD static bool take_no_part(struct communicator *communicator) {
  collective_begin(communicator);
  epoch_end(&communicator->seat);
  return true;
}

static bool gather_to_root(struct communicator *communicator, const struct side *send, const struct side *receive,
                           int *error) {
  unsigned members = communicator->seat.members;
  bool in_place = send->buffer == MPI_IN_PLACE, by_mpi;
  struct part received[members], sent;
  if (!in_place && !find_part(send, 0, &sent))
    return take_no_part(communicator);
  if (find_parts(receive, received, members)) {
    by_mpi = take_all(communicator, in_place ? NULL : &sent, received, error);
    release_parts(received, members);
  } else {
    by_mpi = take_no_part(communicator);
  }
  if (!in_place)
    part_release(&sent);
  return by_mpi;
}

/* True: the call is MPI's. `receive` counts at the root alone. */
static bool gather_parts(enum tried tried, MPI_Comm comm, unsigned root, const struct side *send,
                         const struct side *receive, int *error) {
  if (is_refused_gather(comm, (int)root, send, receive))
    return true;
  struct communicator *communicator = collective_find(comm);
  struct part part;
  if (!communicator || root >= communicator->seat.members)
    return true;
  const struct side *known = communicator->seat.place == root ? receive : send;
  if (is_short(known))
    return exchange_varied(communicator, root, send, receive, true, error);
  if (side_is_left(communicator, tried, known))
    return true;
  if (communicator->seat.place == root)
    return gather_to_root(communicator, send, receive, error);
  if (send->buffer == MPI_IN_PLACE || !find_part(send, 0, &part))
    return give(communicator, root, NULL, error);
  bool by_mpi = give(communicator, root, &part, error);
  part_release(&part);
  return by_mpi;
}

/* ---- What one has for all. ---- */

/* `receive` is NULL where the root's own part stays where it is. */
static bool scatter_from_root(struct communicator *communicator, const struct side *send, const struct part *receive,
                              int *error) {
  const unsigned members = communicator->seat.members;
  struct collective collective = portions_begin(communicator);
  struct part sent[members];
  bool is_parcel[members];
  struct operation ops[members];
  struct portions portions = {members, NULL, sent, is_parcel, ops};
  if (find_parts(send, sent, members)) {
    bool any_parcel = portions_give(&collective, &portions);
    if (receive)
      copy_own_part(&collective, receive, &sent[communicator->seat.place]);
    if (UNLIKELY(any_parcel))
      portions_wait(&collective, &portions, NULL);
    release_parts(sent, members);
  } else {
    publish_refusal(&collective);
  }
  return portions_end(&collective, error);
}

/* `receive` is NULL where MPI is to refuse it. */
static bool take_from_root(struct communicator *communicator, unsigned root, const struct part *receive, int *error) {
  struct collective collective = portions_begin(communicator);
  bool is_parcel;
  struct operation op;
  struct portions portions = {1, &root, receive, &is_parcel, &op};
  if (receive) {
    if (UNLIKELY(portions_take(&collective, &portions)))
      portions_wait(&collective, &portions, NULL);
  } else {
    hear(&collective, root);
    collective.by_mpi = true;
  }
  return portions_end(&collective, error);
}

/* True: the call is MPI's. `send` counts at the root alone. */
static bool scatter_parts(enum tried tried, MPI_Comm comm, unsigned root, const struct side *send,
                          const struct side *receive, int *error) {
  if (is_refused_scatter(comm, (int)root, send, receive))
    return true;
  struct communicator *communicator = collective_find(comm);
  struct part part;
  if (!communicator || root >= communicator->seat.members || communicator->seat.members > most_parts(communicator))
    return true;
  bool is_root = communicator->seat.place == root, in_place = is_root && receive->buffer == MPI_IN_PLACE;
  const struct side *known = is_root ? send : receive;
  if (is_short(known))
    return exchange_varied(communicator, root, receive, send, false, error);
  if (side_is_left(communicator, tried, known))
    return true;
  bool may_receive = !in_place && receive->buffer != MPI_IN_PLACE && find_part(receive, 0, &part);
  bool by_mpi;
  if (!is_root)
    by_mpi = take_from_root(communicator, root, may_receive ? &part : NULL, error);
  else if (in_place || may_receive)
    by_mpi = scatter_from_root(communicator, send, in_place ? NULL : &part, error);
  else
    by_mpi = give(communicator, root, NULL, error);
  if (may_receive)
    part_release(&part);
  return by_mpi;
}

#define COUNTED "collectives/rooted_calls.h"
#include "point_to_point/counted.h"
