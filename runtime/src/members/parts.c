/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "members/parts.h"
#include "channel/reach.h"
#include "messages/staging.h"
#include "node/program_heap.h"
#include "watch/slips.h"

#include <stdlib.h>
#include <string.h>

enum {
  STAGED_ALIGNMENT = 16,
  STAYS_BYTES = 1024,        /* what is longer, and all in the window, is not copied into the slot */
  STAGED_BYTES = 32 << 10,   /* up to here two copies cost less than one by the kernel */
  STAGED_OF_ROOT = 16 << 10, /* the same where its members wait for one, and copy nothing meanwhile */
  BOUNCE_BYTES = 4096        /* on the stack, where the kernel reads for a scattered part */
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
    layout_transfer(to->layout, to->buffer, from->layout, from->buffer, bytes);
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
  for (int rank = 0; rank < communicator->size; rank++)
    if (!kernel_copies(endpoint_opened(communicator->node_rank[rank])))
      return false;
  return true;
}

static size_t staged_size(const struct part *part) {
  return (part->bytes + STAGED_ALIGNMENT - 1) & ~(size_t)(STAGED_ALIGNMENT - 1);
}

/* Where the others find a part that stays where it is; 0: it has to be staged. */
static uint64_t place_of(const struct part *part, unsigned flags) {
  return part->piece && !(flags & PUBLISH_COPY) ? buffer_offset(part->piece, part->bytes) : 0;
}

/* Whether others read a scattered part where it lies. *base is where its buffer begins in the segment. */
static bool find_base(const struct part *part, uint64_t *base) {
  return !part->piece && layout_is_readable(part->layout, part->count, part->buffer, part->bytes, base);
}

/* What room has to be found for, so that others can read parts: bytes of those that are to be staged, unless the kernel
 * reads them, and of layouts. */
struct demand {
  size_t staged, described;
  bool scattered; /* any of what is to be staged */
};

static void add_demand(struct demand *demand, const struct part *part, unsigned flags) {
  uint64_t base;
  if (part->bytes == 0 || place_of(part, flags))
    return;
  if (!flags && find_base(part, &base)) {
    demand->described += described_bytes(part->layout);
  } else {
    demand->staged += staged_size(part);
    demand->scattered |= !part->piece;
  }
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
  slot->kind = (uint8_t)kind;
  slot->size_class = collective->size_class;
  slot->call = collective->communicator->call;
  slot->bytes = (uint32_t)bytes;
  collective->by_mpi |= kind == SLOT_BY_MPI;
  collective->has_places |= kind == SLOT_PLACES || kind == SLOT_PRIVATE_PLACES;
  slot_publish(&collective->communicator->seat);
}

void publish_refusal(struct collective *collective) { publish_slot(collective, own_slot(collective), SLOT_BY_MPI, 0); }

/* Layouts stand behind the places, or among what is staged. */
static struct part_place describe_part(const struct part *part, uint64_t base, char *to, uint64_t at) {
  layout_describe(part->layout, base, (struct described_layout *)to);
  return (struct part_place){at | PLACE_IS_DESCRIBED, part->bytes};
}

/* Whether parts may stay where they are, for others to be read by the kernel. */
static bool may_be_left_to_kernel(const struct collective *collective, struct demand demand, unsigned flags) {
  return demand.staged > 0 && !demand.scattered && !flags && kernel_copies_to_all(collective->communicator);
}

static bool allocate_bytes(struct collective *collective, size_t bytes) {
  collective->staged_bytes = bytes;
  return bytes == 0 || (collective->staged = staged_allocate(bytes)) != NULL;
}

bool goes_as_parcel(const struct communicator *communicator, const struct part *part) {
  return communicator->seat.members == 2 && part->bytes > STAGED_OF_ROOT && part->piece &&
         !place_of(part, PUBLISH_TO_ALL) && kernel_copies_to_all(communicator);
}

/* Memory for what is staged, or for none of it where others read by the kernel, which is so instead where they may and
 * there is no memory; and for `described` bytes. */
static bool allocate_staged(struct collective *collective, size_t staged, size_t described, bool may_be_left,
                            bool *by_kernel) {
  size_t most = collective->is_rooted ? STAGED_OF_ROOT : STAGED_BYTES;
  *by_kernel = may_be_left && staged > most;
  if (!*by_kernel && allocate_bytes(collective, staged + described))
    return true;
  *by_kernel = may_be_left;
  return may_be_left && allocate_bytes(collective, described);
}

/* The places of parts, but for the own one of several. */
COLD static void publish_places(struct collective *collective, struct slot *slot, const struct part parts[],
                                unsigned count, unsigned own, struct demand demand, unsigned flags) {
  struct part_place *places = (struct part_place *)slot->payload;
  size_t end = count * sizeof *places, at = 0;
  bool has_room = demand.described <= slot_room(&collective->communicator->seat) - end, by_kernel;
  if (!allocate_staged(collective, demand.staged, has_room ? 0 : demand.described,
                       may_be_left_to_kernel(collective, demand, flags), &by_kernel)) {
    publish_slot(collective, slot, SLOT_BY_MPI, 0);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    const struct part *part = &parts[i];
    uint64_t base, offset = place_of(part, flags);
    if (i == own || part->bytes == 0 || offset) {
      places[i] = (struct part_place){offset, part->bytes};
    } else if (!flags && find_base(part, &base)) {
      size_t *next = has_room ? &end : &at;
      char *memory = (has_room ? (char *)slot->payload : (char *)collective->staged) + *next;
      *next += described_bytes(part->layout);
      places[i] = describe_part(part, base, memory,
                                has_room ? (uint64_t)(memory - (char *)slot->payload) | PLACE_IS_IN_SLOT
                                         : offset_of(mpishm.segment, memory));
    } else {
      places[i] = by_kernel ? private_place(part) : stage_part(collective, part, &at);
    }
  }
  publish_slot(collective, slot, by_kernel ? SLOT_PRIVATE_PLACES : SLOT_PLACES, end);
}

void publish_part(struct collective *collective, const struct part *part, unsigned flags) {
  struct slot *slot = own_slot(collective);
  if (UNLIKELY(part->bytes > slot_room(&collective->communicator->seat))) {
    struct demand demand = {0};
    add_demand(&demand, part, flags);
    publish_places(collective, slot, part, 1, NOBODY, demand, flags);
    return;
  }
  part_pack(part, slot->payload);
  publish_slot(collective, slot, SLOT_DATA, part->bytes);
}

void publish_parts(struct collective *collective, const struct part parts[]) {
  const struct seat *seat = &collective->communicator->seat;
  struct slot *slot = own_slot(collective);
  struct part_place *places = (struct part_place *)slot->payload;
  size_t at = seat->members * sizeof *places, total = at;
  struct demand demand = {0};
  for (unsigned i = 0; i < seat->members; i++)
    total += i == seat->place ? 0 : parts[i].bytes;
  bool fits = total <= slot_room(seat), may_stay = total > STAYS_BYTES; /* a slot may be smaller than that */
  for (unsigned i = 0; i < seat->members && (!fits || may_stay); i++)
    if (i != seat->place)
      add_demand(&demand, &parts[i], PUBLISH_TO_ALL);
  if (!fits || (may_stay && demand.staged == 0)) {
    publish_places(collective, slot, parts, seat->members, seat->place, demand, PUBLISH_TO_ALL);
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

void hear_other_call(const struct collective *collective, unsigned from, uint16_t call) {
  if ((call ^ collective->communicator->call) & ~CONTEXT_UNREWRITTEN)
    mismatch_end(collective->communicator, from, call);
  else if (collective->communicator->call & CONTEXT_UNREWRITTEN)
    collective_slipped();
  else if (collective->is_rooted)
    slip_member(collective->communicator->handle, rank_of_member(collective->communicator, from));
}

struct endpoint *endpoint_of_member(const struct collective *collective, unsigned from) {
  return endpoint_opened(collective->communicator->node_rank[from]);
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

/* From where a member has it scattered in the window. */
static void take_described(const struct slot *slot, const struct endpoint *endpoint, uint64_t at,
                           const struct part *part, size_t bytes) {
  uint64_t place = at & ~(PLACE_IS_DESCRIBED | PLACE_IS_IN_SLOT);
  const struct described_layout *described =
      at & PLACE_IS_IN_SLOT ? (const void *)(slot->payload + place) : at_offset(endpoint->segment, place);
  struct layout layout = layout_of_described(described);
  const void *buffer = displaced(endpoint->segment, (MPI_Aint)described->base);
  if (part->piece)
    layout_pack(&layout, buffer, 0, part->piece, bytes);
  else
    layout_transfer(part->layout, part->buffer, &layout, buffer, bytes);
}

void take_from_place(struct collective *collective, const struct slot *slot, unsigned from, struct part_place place,
                     const struct part *part) {
  if (slot->kind == SLOT_BY_MPI || place.bytes == 0)
    return;
  const struct endpoint *endpoint = endpoint_of_member(collective, from);
  size_t bytes = fitting(collective, place.bytes, part);
  if (place.at & PLACE_IS_PRIVATE)
    collective->refused |= !take_by_kernel(endpoint, place.at & ~PLACE_IS_PRIVATE, part, bytes);
  else if (place.at & PLACE_IS_DESCRIBED)
    take_described(slot, endpoint, place.at, part, bytes);
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
