/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "collectives/parts.h"
#include "channel/reach.h"
#include "messages/staging.h"
#include "node/program_heap.h"
#include "watch/slips.h"

#include <stdlib.h>
#include <string.h>

enum {
  STAGED_ALIGNMENT = 16,
  STAYS_BYTES = 1024, /* what is longer, and all in the window, is not copied into the slot */
  BOUNCE_BYTES = 4096 /* between two scattered parts, on the stack */
};

bool part_copy(const struct part *to, const struct part *from) {
  size_t bytes = from->bytes < to->bytes ? from->bytes : to->bytes;
  if (bytes == 0) {
    /* nor need there be buffers */
  } else if (from->piece) {
    part_unpack(to, from->piece, bytes);
  } else if (to->piece) {
    layout_pack(from->layout, from->buffer, 0, to->piece, bytes);
  } else {
    char bounce[BOUNCE_BYTES];
    for (size_t at = 0, n; at < bytes; at += n) {
      n = bytes - at < sizeof bounce ? bytes - at : sizeof bounce;
      layout_pack(from->layout, from->buffer, at, bounce, n);
      layout_unpack(to->layout, to->buffer, at, bounce, n);
    }
  }
  return from->bytes <= to->bytes;
}

void await_slot(struct collective *collective) {
  struct waiter waiter = {0};
  unsigned late;
  while (!slot_is_free(&collective->communicator->seat, &late))
    collective_pause(&waiter, collective->communicator, late);
}

/* ---- Publishing. ---- */

/* Whether the kernel copies between all members, as far as is known. */
static bool kernel_copies_to_all(const struct communicator *communicator) {
  for (int rank = 0; rank < communicator->size; rank++) {
    struct endpoint *endpoint = &mpishm.endpoints[communicator->node_rank[rank]];
    if (!endpoint->segment)
      endpoint_open(endpoint, communicator->node_rank[rank]);
    if (!kernel_copies(endpoint))
      return false;
  }
  return true;
}

static size_t staged_size(const struct part *part) {
  return (part->bytes + STAGED_ALIGNMENT - 1) & ~(size_t)(STAGED_ALIGNMENT - 1);
}

/* Where the others find a part that stays where it is; 0: it has to be staged. */
static uint64_t place_of(const struct part *part, unsigned flags) {
  return part->piece && !(flags & PUBLISH_COPY) ? buffer_offset(part->piece, part->bytes) : 0;
}

/* Stages what needs `bytes` bytes, or finds that the kernel is to read it, which costs less here than two copies, one
 * after the other. False: neither. */
static bool prepare_memory(struct collective *collective, size_t bytes, bool by_kernel) {
  if (bytes == 0 || (by_kernel && kernel_copies_to_all(collective->communicator)))
    return true;
  collective->staged = staged_allocate(bytes);
  collective->staged_bytes = bytes;
  return collective->staged;
}

static struct part_place stage_part(const struct collective *collective, const struct part *part, size_t *at) {
  char *memory = (char *)collective->staged + *at;
  part_pack(part, memory);
  *at += staged_size(part);
  return (struct part_place){offset_of(mpishm.segment, memory), part->bytes};
}

static struct part_place private_place(const struct part *part) {
  return (struct part_place){(uint64_t)(uintptr_t)part->piece | PLACE_IS_PRIVATE, part->bytes};
}

void publish_slot(struct collective *collective, struct slot *slot, enum slot_kind kind, size_t bytes) {
  slot->kind = (uint16_t)kind;
  slot->unrewritten = collective->unrewritten;
  slot->bytes = (uint32_t)bytes;
  collective->by_mpi |= kind == SLOT_BY_MPI;
  collective->has_places |= kind == SLOT_PLACES || kind == SLOT_PRIVATE_PLACES;
  slot_publish(&collective->communicator->seat);
}

void publish_refusal(struct collective *collective) { publish_slot(collective, own_slot(collective), SLOT_BY_MPI, 0); }

COLD static void publish_place(struct collective *collective, struct slot *slot, const struct part *part,
                               unsigned flags) {
  struct part_place *place = (struct part_place *)slot->payload;
  uint64_t offset = place_of(part, flags);
  size_t at = 0;
  bool by_kernel = part->piece && !flags;
  *place = (struct part_place){offset, part->bytes};
  if (!offset && !prepare_memory(collective, staged_size(part), by_kernel)) {
    publish_slot(collective, slot, SLOT_BY_MPI, 0);
    return;
  }
  if (!offset)
    *place = collective->staged ? stage_part(collective, part, &at) : private_place(part);
  publish_slot(collective, slot, offset || collective->staged ? SLOT_PLACES : SLOT_PRIVATE_PLACES, sizeof *place);
}

void publish_part(struct collective *collective, const struct part *part, unsigned flags) {
  struct slot *slot = own_slot(collective);
  if (UNLIKELY(part->bytes > slot_room(&collective->communicator->seat))) {
    publish_place(collective, slot, part, flags);
    return;
  }
  part_pack(part, slot->payload);
  publish_slot(collective, slot, SLOT_DATA, part->bytes);
}

/* The places of parts of which `staged_total` bytes are not in the window. */
static void publish_places(struct collective *collective, struct slot *slot, const struct part parts[],
                           size_t staged_total, bool scattered) {
  const struct seat *seat = &collective->communicator->seat;
  struct part_place *places = (struct part_place *)slot->payload;
  size_t at = 0;
  bool is_private = false;
  if (!prepare_memory(collective, staged_total, !scattered)) {
    publish_slot(collective, slot, SLOT_BY_MPI, 0);
    return;
  }
  for (unsigned i = 0; i < seat->members; i++) {
    uint64_t offset = place_of(&parts[i], PUBLISH_TO_ALL);
    bool stays = i == seat->place || parts[i].bytes == 0 || offset;
    is_private |= !stays && !collective->staged;
    places[i] = stays                ? (struct part_place){offset, parts[i].bytes}
                : collective->staged ? stage_part(collective, &parts[i], &at)
                                     : private_place(&parts[i]);
  }
  publish_slot(collective, slot, is_private ? SLOT_PRIVATE_PLACES : SLOT_PLACES, seat->members * sizeof *places);
}

void publish_parts(struct collective *collective, const struct part parts[]) {
  const struct seat *seat = &collective->communicator->seat;
  struct slot *slot = own_slot(collective);
  struct part_place *places = (struct part_place *)slot->payload;
  size_t at = seat->members * sizeof *places, total = at, staged = 0;
  bool scattered = false;
  for (unsigned i = 0; i < seat->members; i++)
    if (i != seat->place) {
      total += parts[i].bytes;
      if (parts[i].bytes > 0 && !place_of(&parts[i], PUBLISH_TO_ALL)) {
        staged += staged_size(&parts[i]);
        scattered |= !parts[i].piece;
      }
    }
  if (total > slot_room(seat) || (staged == 0 && total > STAYS_BYTES)) {
    publish_places(collective, slot, parts, staged, scattered);
    return;
  }
  for (unsigned i = 0; i < seat->members; i++)
    if (i != seat->place) {
      places[i] = (struct part_place){at, parts[i].bytes};
      part_pack(&parts[i], slot->payload + at);
      at += parts[i].bytes;
    }
  publish_slot(collective, slot, SLOT_DATA, at);
}

/* ---- Taking. ---- */

void hear_other_code(const struct collective *collective, unsigned from) {
  if (collective->unrewritten)
    collective_slipped();
  else if (collective->is_rooted)
    slip_member(collective->communicator->handle, rank_of_member(collective->communicator, from));
}

struct endpoint *endpoint_of_member(const struct collective *collective, unsigned from) {
  int node_rank = collective->communicator->node_rank[from];
  struct endpoint *endpoint = &mpishm.endpoints[node_rank];
  if (!endpoint->segment)
    endpoint_open(endpoint, node_rank);
  return endpoint;
}

/* From the private memory of another process, in pieces where the own part is scattered. */
static bool take_by_kernel(const struct endpoint *endpoint, uint64_t address, const struct part *part, size_t bytes) {
  char bounce[BOUNCE_BYTES];
  bool ok = true;
  if (!kernel_copies(endpoint))
    return false;
  if (part->piece)
    ok = reach_read(endpoint->pid, address, part->piece, bytes);
  for (size_t at = 0, n; ok && !part->piece && at < bytes; at += n) {
    n = bytes - at < sizeof bounce ? bytes - at : sizeof bounce;
    ok = reach_read(endpoint->pid, address + at, bounce, n);
    if (ok)
      layout_unpack(part->layout, part->buffer, at, bounce, n);
  }
  if (!ok)
    kernel_copy_failed();
  return ok;
}

void take_from_place(struct collective *collective, const struct slot *slot, unsigned from, struct part_place place,
                     const struct part *part) {
  if (slot->kind == SLOT_BY_MPI || place.bytes == 0)
    return;
  const struct endpoint *endpoint = endpoint_of_member(collective, from);
  size_t bytes = fitting(collective, place.bytes, part);
  if (place.at & PLACE_IS_PRIVATE)
    collective->refused |= !take_by_kernel(endpoint, place.at & ~PLACE_IS_PRIVATE, part, bytes);
  else
    part_unpack(part, at_offset(endpoint->segment, place.at), bytes);
}

void take_own_part(struct collective *collective, const struct slot *slot, unsigned from, const struct part *part) {
  const struct seat *seat = &collective->communicator->seat;
  struct part_place place = ((const struct part_place *)slot->payload)[seat->place];
  if (slot->kind == SLOT_DATA)
    part_unpack(part, slot->payload + place.at, fitting(collective, place.bytes, part));
  else
    take_from_place(collective, slot, from, place, part);
}

const void *memory_of(struct collective *collective, const struct slot *slot, unsigned from) {
  if (slot->kind == SLOT_DATA)
    return slot->payload;
  return at_offset(endpoint_of_member(collective, from)->segment, ((const struct part_place *)slot->payload)->at);
}

/* ---- The end. ---- */

void collective_release(struct collective *collective) {
  if (collective->staged)
    staged_free(collective->staged, collective->staged_bytes);
  collective->staged = NULL;
}

bool collective_settle(struct collective *collective, bool bit) {
  epoch_end(&collective->communicator->seat);
  bit |= collective->by_mpi || collective->refused;
  return collective->by_mpi = collective_agree(collective->communicator, bit);
}

bool collective_end_of_all(struct collective *collective, bool asks, bool bit) {
  if (collective->has_places || asks)
    collective_settle(collective, bit);
  else
    epoch_end_of_all(&collective->communicator->seat);
  collective_release(collective);
  return collective->by_mpi;
}

/* Nobody reads memory of this member's any more. */
COLD static void await_all(struct collective *collective) {
  struct seat *seat = &collective->communicator->seat;
  for (unsigned i = 0; i < seat->members; i++) {
    struct waiter waiter = {0};
    while (!member_is_done(seat, i, seat->epoch))
      collective_pause(&waiter, collective->communicator, i);
  }
  seat->known = seat->epoch;
}

bool collective_end_of_root(struct collective *collective, unsigned root, enum slot_kind kind) {
  struct seat *seat = &collective->communicator->seat;
  epoch_end(seat);
  if (kind == SLOT_PRIVATE_PLACES)
    collective->by_mpi |= collective_agree(collective->communicator, collective->refused);
  else if (kind == SLOT_PLACES && root == seat->place)
    await_all(collective);
  collective_release(collective);
  return collective->by_mpi;
}
