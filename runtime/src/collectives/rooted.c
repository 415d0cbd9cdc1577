/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what all have for one, and one has for all. What is short goes through slots; what is not is a parcel,
 * so that members, whose parts may differ in length, need not agree on the way.
 */
#include "collectives/parcels.h"
#include "collectives/sides.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

/* An end in which nobody has waited for all. True where it is MPI's after all, as this member's arguments or those of
 * the root want. */
static inline bool rooted_end(struct collective *collective, int *error) {
  epoch_end(&collective->communicator->seat);
  *error = collective->by_mpi ? MPI_SUCCESS : collective_raise(collective);
  return collective->by_mpi;
}

static inline struct collective rooted_begin(struct communicator *communicator) {
  struct collective collective = collective_begin(communicator);
  collective.is_rooted = true;
  return collective;
}

/* The root's own part stays within it. Where it is there already nothing is left to do, MPI_IN_PLACE or not. */
static void copy_own_part(struct collective *collective, const struct part *to, const struct part *from) {
  bool is_there = from->piece && from->piece == to->piece;
  if (is_there ? from->bytes > to->bytes : !part_copy(to, from))
    collective->error = MPI_ERR_TRUNCATE;
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
  struct collective collective = rooted_begin(communicator);
  if (!send)
    publish_refusal(&collective);
  else if (send->bytes > slot_room(&communicator->seat))
    give_parcel(&collective, root, send);
  else
    publish_part(&collective, send, PUBLISH_TO_ALL);
  return rooted_end(&collective, error);
}

COLD static void receive_parcels(struct collective *collective, const bool is_parcel[], const struct part receive[]) {
  const unsigned members = collective->communicator->seat.members;
  struct operation ops[members];
  for (unsigned i = 0; i < members; i++)
    if (is_parcel[i])
      parcel_receive(&ops[i], collective->communicator, i, &receive[i]);
  for (unsigned i = 0; i < members; i++) {
    int error = is_parcel[i] ? parcel_complete(&ops[i], collective->communicator, i) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
      collective->error = error;
  }
}

/* `send` is NULL where it lies among what is received. */
static bool take_all(struct communicator *communicator, const struct part *send, const struct part receive[],
                     int *error) {
  const struct seat *seat = &communicator->seat;
  struct collective collective = rooted_begin(communicator);
  bool any_parcel = false, is_parcel[seat->members];
  is_parcel[seat->place] = false;
  if (send)
    copy_own_part(&collective, &receive[seat->place], send);
  for (unsigned i = 1; i < seat->members; i++) {
    unsigned from = (seat->place + i) % seat->members;
    const struct slot *slot = hear(&collective, from);
    any_parcel |= is_parcel[from] = slot->kind == SLOT_PARCEL;
    if (slot->kind == SLOT_DATA)
      take_part(&collective, slot, from, &receive[from]);
  }
  if (UNLIKELY(any_parcel))
    receive_parcels(&collective, is_parcel, receive);
  return rooted_end(&collective, error);
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
static bool gather_parts(MPI_Comm comm, unsigned root, const struct side *send, const struct side *receive,
                         int *error) {
  struct communicator *communicator = collective_find(comm);
  struct part part;
  if (!communicator || root >= communicator->seat.members)
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

COLD static void send_parcels(struct collective *collective, unsigned members, const bool is_parcel[],
                              const struct part send[]) {
  struct operation ops[members];
  bool is_left[members];
  for (unsigned i = 0; i < members; i++)
    is_left[i] = is_parcel[i] && parcel_send(&ops[i], collective->communicator, i, &send[i]);
  for (unsigned i = 0; i < members; i++) {
    int error = is_left[i] ? parcel_complete(&ops[i], collective->communicator, i) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
      collective->error = error;
  }
}

/* As many parts into the slot as find room there. */
static void give_all(struct collective *collective, const struct part send[]) {
  const struct seat *seat = &collective->communicator->seat;
  const unsigned members = seat->members;
  struct slot *slot = own_slot(collective);
  struct part_place *places = (struct part_place *)slot->payload;
  size_t at = members * sizeof *places;
  bool any_parcel = false, is_parcel[members];
  for (unsigned i = 0; i < members; i++) {
    is_parcel[i] = i != seat->place && send[i].bytes > slot_room(seat) - at;
    any_parcel |= is_parcel[i];
    places[i] = (struct part_place){is_parcel[i] ? PLACE_IS_PARCEL : at, send[i].bytes};
    if (i != seat->place && !is_parcel[i]) {
      part_pack(&send[i], slot->payload + at);
      at += send[i].bytes;
    }
  }
  publish_slot(collective, slot, SLOT_DATA, at);
  if (UNLIKELY(any_parcel))
    send_parcels(collective, members, is_parcel, send);
}

/* `receive` is NULL where the root's own part stays where it is. */
static bool scatter_from_root(struct communicator *communicator, const struct side *send, const struct part *receive,
                              int *error) {
  unsigned members = communicator->seat.members;
  struct collective collective = rooted_begin(communicator);
  struct part sent[members];
  if (find_parts(send, sent, members)) {
    give_all(&collective, sent);
    if (receive)
      copy_own_part(&collective, receive, &sent[communicator->seat.place]);
    release_parts(sent, members);
  } else {
    publish_refusal(&collective);
  }
  return rooted_end(&collective, error);
}

/* `receive` is NULL where MPI is to refuse it. */
static bool take_from_root(struct communicator *communicator, unsigned root, const struct part *receive, int *error) {
  struct collective collective = rooted_begin(communicator);
  const struct slot *slot = hear(&collective, root);
  struct part_place place = ((const struct part_place *)slot->payload)[communicator->seat.place];
  if (!receive) {
    collective.by_mpi = true;
  } else if (slot->kind == SLOT_DATA && place.at == PLACE_IS_PARCEL) {
    struct operation op;
    parcel_receive(&op, communicator, root, receive);
    collective.error = parcel_complete(&op, communicator, root);
  } else if (slot->kind == SLOT_DATA) {
    take_own_part(&collective, slot, root, receive);
  }
  return rooted_end(&collective, error);
}

/* True: the call is MPI's. `send` counts at the root alone. */
static bool scatter_parts(MPI_Comm comm, unsigned root, const struct side *send, const struct side *receive,
                          int *error) {
  struct communicator *communicator = collective_find(comm);
  struct part part;
  if (!communicator || root >= communicator->seat.members || communicator->seat.members > most_parts(communicator))
    return true;
  bool is_root = communicator->seat.place == root, in_place = is_root && receive->buffer == MPI_IN_PLACE;
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
