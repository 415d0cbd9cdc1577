/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "portions/portions.h"

COLD static void send_parcels(const struct collective *collective, const struct portions *portions) {
  for (unsigned i = 0; i < portions->count; i++)
    if (portions->is_parcel[i])
      portions->is_parcel[i] =
          parcel_send(&portions->ops[i], collective->communicator, portion_member(portions, i), &portions->parts[i]);
}

bool portions_give(struct collective *collective, const struct portions *portions) {
  const struct seat *seat = &collective->communicator->seat;
  struct slot *slot = own_slot(collective);
  struct part_place *places = (struct part_place *)slot->payload;
  size_t at = seat->members * sizeof *places;
  bool any_parcel = false;
  for (unsigned i = 0; i < portions->count; i++) {
    const struct part *part = &portions->parts[i];
    unsigned to = portion_member(portions, i);
    bool is_given = to != NOBODY && to != seat->place, fits = is_given && part->bytes <= slot_room(seat) - at;
    any_parcel |= portions->is_parcel[i] = is_given && !fits;
    if (is_given)
      places[to] = (struct part_place){fits ? at : PLACE_IS_PARCEL, part->bytes};
    if (fits) {
      part_pack(part, slot->payload + at);
      at += part->bytes;
    }
  }
  publish_slot(collective, slot, SLOT_DATA, at);
  if (UNLIKELY(any_parcel))
    send_parcels(collective, portions);
  return any_parcel;
}

COLD static void receive_parcels(const struct collective *collective, const struct portions *portions) {
  for (unsigned i = 0; i < portions->count; i++)
    if (portions->is_parcel[i])
      parcel_receive(&portions->ops[i], collective->communicator, portion_member(portions, i), &portions->parts[i]);
}

bool portions_take(struct collective *collective, const struct portions *portions) {
  const struct seat *seat = &collective->communicator->seat;
  bool any_parcel = false;
  for (unsigned i = 0; i < portions->count; i++) {
    unsigned from = portion_member(portions, i);
    portions->is_parcel[i] = false;
    if (from == NOBODY || from == seat->place)
      continue;
    const struct slot *slot = hear(collective, from);
    if (slot->kind == SLOT_BY_MPI)
      continue;
    if (((const struct part_place *)slot->payload)[seat->place].at == PLACE_IS_PARCEL)
      any_parcel = portions->is_parcel[i] = true;
    else
      take_own_part(collective, slot, from, &portions->parts[i]);
  }
  if (UNLIKELY(any_parcel))
    receive_parcels(collective, portions);
  return any_parcel;
}

/* Polls all of them: any may need this member to get on. True: none is under way any more. Else *awaited is one. */
static bool are_done(const struct portions *portions, unsigned *awaited) {
  bool done = true;
  for (unsigned i = 0; i < portions->count; i++)
    if (portions->is_parcel[i] && !operation_poll(&portions->ops[i])) {
      *awaited = portion_member(portions, i);
      done = false;
    }
  return done;
}

static void finish_parcels(struct collective *collective, const struct portions *portions) {
  for (unsigned i = 0; i < portions->count; i++) {
    int error = portions->is_parcel[i] ? parcel_finish(&portions->ops[i]) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
      collective->error = error;
  }
}

void portions_await(const struct collective *collective, const struct portions *one, const struct portions *other) {
  static const struct portions none = {.count = 0};
  struct waiter waiter = {0};
  unsigned awaited = 0;
  if (!other)
    other = &none;
  for (bool done = are_done(one, &awaited); !are_done(other, &awaited) || !done; done = are_done(one, &awaited))
    collective_pause(&waiter, collective->communicator, awaited);
}

void portions_wait(struct collective *collective, const struct portions *one, const struct portions *other) {
  portions_await(collective, one, other);
  finish_parcels(collective, one);
  finish_parcels(collective, other);
}
