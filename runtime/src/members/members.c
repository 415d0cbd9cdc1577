/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Areas: made by the first member at the first collective of a communicator, and told to the others by a message of the
 * runtime's own. Communicators that have none cost nothing.
 */
#include "members/members.h"
#include "members/parcels.h"
#include "node/warnings.h"
#include "watch/slips.h"

enum {
  SLOT_BYTES = (4 << 10) + 2 * LINE, /* of each of a member's slots; less where the window is small: */
  SMALLEST_SLOT_BYTES = 512,
  SHARE_OF_HEAP = 64, /* an area takes at most this part of what its owner has for messages, */
  SHARE_OF_ALL = 4,   /* and all of its areas this part */
  MOST_MEMBERS = 1 << 10
};

/* ---- Areas of this rank's that it has left and others may still use. ---- */

static struct area *left_areas;
static size_t bytes_of_areas; /* these, and those in use */

static size_t bytes_of(const struct area *area) { return area_bytes(area->members, area->slot_bytes); }

static void reclaim_areas(void) {
  for (struct area **link = &left_areas; *link;) {
    struct area *area = *link;
    if (area_is_left(area)) {
      *link = area->next;
      bytes_of_areas -= bytes_of(area);
      heap_free(&mpishm.heap, area);
    } else {
      link = &area->next;
    }
  }
}

static void leave_area(struct communicator *communicator) {
  struct area *area = communicator->seat.area;
  bool mine = communicator->seat.place == 0;
  seat_leave(&communicator->seat);
  if (mine) {
    area->next = left_areas;
    left_areas = area;
  }
}

/* ---- Making one. ---- */

/* Its offset in the own segment; 0: there is no room. */
static uint64_t make_area(unsigned members) {
  size_t heap = mpishm.heap.pages << HEAP_PAGE_SHIFT, bytes = area_bytes(members, SLOT_BYTES);
  uint32_t slot_bytes = SLOT_BYTES;
  reclaim_areas();
  while (slot_bytes > SMALLEST_SLOT_BYTES && bytes > heap / SHARE_OF_HEAP)
    bytes = area_bytes(members, slot_bytes = slot_bytes / 2 / LINE * LINE);
  bool fits = bytes <= heap / SHARE_OF_HEAP && bytes_of_areas + bytes <= heap / SHARE_OF_ALL;
  struct area *area = fits ? heap_allocate(&mpishm.heap, bytes) : NULL;
  if (!area)
    return 0;
  bytes_of_areas += bytes;
  area_init(area, members, slot_bytes);
  return offset_of(mpishm.segment, area);
}

static struct part word_part(uint64_t *word) { return part_of(word, sizeof *word, layout_find(MPI_BYTE)); }

static void tell_others(const struct communicator *communicator, uint64_t offset) {
  struct part part = word_part(&offset);
  struct operation op;
  for (unsigned i = 1; i < (unsigned)communicator->size; i++)
    if (parcel_send(&op, communicator, i, &part))
      parcel_complete(&op, communicator, i);
}

static uint64_t hear_from_first(const struct communicator *communicator) {
  uint64_t offset = 0;
  struct part part = word_part(&offset);
  struct operation op;
  parcel_receive(&op, communicator, 0, &part);
  parcel_await(&op, communicator, 0);
  parcel_finish(&op);
  return offset;
}

void collective_open(struct communicator *communicator) {
  uint64_t offset;
  if (communicator->rank == 0) {
    offset = make_area((unsigned)communicator->size);
    tell_others(communicator, offset);
  } else {
    offset = hear_from_first(communicator);
  }
  struct segment *segment =
      communicator->rank == 0 ? mpishm.segment : mpishm.endpoints[communicator->node_rank[0]].segment;
  communicator->collectives = offset ? COLLECTIVES_HERE : COLLECTIVES_BY_MPI;
  communicator_ends = leave_area;
  if (offset)
    seat_take(&communicator->seat, at_offset(segment, offset), (unsigned)communicator->rank);
}

void collective_slipped(void) { slip_collective((enum call)unrewritten.call, unrewritten.site); }

static void warn_unless_attached(void) {
  if (!mpishm.attached)
    warn_once(WARN_NOT_ATTACHED, "the program did not call MPISHM_Init or MPISHM_Attach; messages go through MPI");
}

struct communicator *collective_look_up(struct communicator *communicator, enum call call) {
  if (!communicator) {
    warn_unless_attached();
    return NULL;
  }
  communicator->call = call_mark(call);
  if (communicator->collectives == COLLECTIVES_UNDECIDED) {
    if (collectives_could_be_here(communicator, MOST_MEMBERS))
      collective_open(communicator);
    else
      communicator->collectives = COLLECTIVES_BY_MPI;
  }
  return communicator->collectives == COLLECTIVES_HERE ? communicator : NULL;
}

struct communicator *collective_find_pairs(MPI_Comm comm, enum call call) {
  struct communicator *communicator = communicator_find(comm);
  if (!communicator)
    warn_unless_attached();
  else
    communicator->call = call_mark(call);
  return communicator && collectives_could_be_here(communicator, MOST_MEMBERS) ? communicator : NULL;
}
