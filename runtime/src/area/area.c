/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "area/area.h"

#include <string.h>

static uint32_t rounds_of(unsigned members) {
  uint32_t rounds = 0;
  while (1u << rounds < members)
    rounds++;
  return rounds;
}

size_t area_bytes(unsigned members, uint32_t slot_bytes) {
  return sizeof(struct area) + members * (rounds_of(members) * sizeof(struct area_flag) + sizeof(struct area_done) +
                                          sizeof(struct area_finding) + (size_t)SLOTS * slot_bytes);
}

void area_init(struct area *area, unsigned members, uint32_t slot_bytes) {
  struct seat seat;
  *area = (struct area){.members = members, .rounds = rounds_of(members), .slot_bytes = slot_bytes};
  seat_take(&seat, area, 0);
  memset((void *)(area + 1), 0, (size_t)(seat.slots - (char *)(area + 1)));
  for (unsigned i = 0; i < members * SLOTS; i++) /* nothing but the first line of each is touched here */
    memset(seat.slots + (size_t)i * slot_bytes, 0, sizeof(struct slot));
}

bool area_is_left(struct area *area) {
  struct seat seat;
  seat_take(&seat, area, 0);
  for (unsigned i = 0; i < seat.members; i++)
    if (!atomic_load_explicit(&seat.done[i].left, memory_order_acquire))
      return false;
  return true;
}

void seat_take(struct seat *seat, struct area *area, unsigned place) {
  struct area_flag *flags = (struct area_flag *)(area + 1);
  struct area_done *done = (struct area_done *)(flags + (size_t)area->members * area->rounds);
  struct area_finding *findings = (struct area_finding *)(done + area->members);
  *seat = (struct seat){.area = area,
                        .flags = flags,
                        .done = done,
                        .findings = findings,
                        .slots = (char *)(findings + area->members),
                        .place = place,
                        .members = area->members,
                        .rounds = area->rounds,
                        .slot_bytes = area->slot_bytes};
}

void seat_leave(struct seat *seat) {
  atomic_store_explicit(&seat->done[seat->place].left, 1, memory_order_release);
  seat->area = NULL;
}
