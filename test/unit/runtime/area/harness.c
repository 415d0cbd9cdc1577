/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "harness.h"
#include "area/area.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

struct members {
  struct area *area;
  bool begun[MOST]; /* a collective, which waits for its slot */
  struct seat seats[MOST];
};

struct members *members_create(unsigned count, uint32_t slot_bytes, uint32_t epoch) {
  struct members *members = calloc(1, sizeof *members);
  members->area = aligned_alloc(LINE, area_bytes(count, slot_bytes));
  memset(members->area, 0xa5, area_bytes(count, slot_bytes)); /* as memory that was used before */
  area_init(members->area, count, slot_bytes);
  for (unsigned i = 0; i < count; i++) {
    seat_take(&members->seats[i], members->area, i);
    members->seats[i].barrier = epoch;
    members->seats[i].epoch = members->seats[i].known = epoch;
    atomic_store_explicit(&members->seats[i].done[i].epoch, epoch, memory_order_relaxed);
  }
  return members;
}

void members_destroy(struct members *members) {
  free(members->area);
  free(members);
}

size_t members_room(const struct members *members) { return slot_room(&members->seats[0]); }

unsigned members_agree(struct members *members, unsigned place, unsigned mine) {
  struct seat *seat = &members->seats[place];
  uint32_t bits = mine;
  barrier_begin(seat);
  for (unsigned round = 0; round < seat->rounds; round++) {
    barrier_tell(seat, round, bits);
    while (!barrier_told(seat, round, &bits))
      sched_yield();
  }
  barrier_end(seat);
  return bits;
}

bool members_publish(struct members *members, unsigned place, const void *data, size_t bytes, bool blocks) {
  struct seat *seat = &members->seats[place];
  unsigned late;
  if (!members->begun[place])
    epoch_begin(seat);
  members->begun[place] = true;
  if (!data)
    return true;
  while (!slot_is_known_free(seat) && !slot_is_free(seat, &late)) {
    if (!blocks)
      return false;
    sched_yield();
  }
  struct slot *slot = slot_at(seat, place);
  slot->bytes = bytes;
  memcpy(slot->payload, data, bytes);
  slot_publish(seat);
  return true;
}

bool members_can_fetch(struct members *members, unsigned place, unsigned from) {
  return slot_look(&members->seats[place], from) != NULL;
}

size_t members_fetch(struct members *members, unsigned place, unsigned from, void *data) {
  const struct slot *slot;
  while (!(slot = slot_look(&members->seats[place], from)))
    sched_yield();
  memcpy(data, slot->payload, slot->bytes);
  return slot->bytes;
}

void members_end(struct members *members, unsigned place, bool saw_all) {
  members->begun[place] = false;
  saw_all ? epoch_end_of_all(&members->seats[place]) : epoch_end(&members->seats[place]);
}

void members_wait_done(struct members *members, unsigned place) {
  struct seat *seat = &members->seats[place];
  for (unsigned i = 0; i < seat->members; i++)
    while (!member_is_done(seat, i, seat->epoch))
      sched_yield();
}

uint64_t members_tell(struct members *members, unsigned place, uint32_t number, const uint64_t costs[2]) {
  finding_tell(&members->seats[place], number, costs);
  return finding_epoch(&members->seats[place]);
}

bool members_told(struct members *members, unsigned place, unsigned from, uint32_t number, uint64_t costs[2]) {
  return finding_told(&members->seats[place], from, number, costs);
}

uint64_t members_epoch(const struct members *members, unsigned place) { return members->seats[place].epoch; }

void members_leave(struct members *members, unsigned place) { seat_leave(&members->seats[place]); }
bool members_have_left(struct members *members) { return area_is_left(members->area); }
