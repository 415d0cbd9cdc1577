/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One call takes two epochs of the area. In the first, members give their operands; in the second, those that have a
 * slice give it, combined. Who has heard all slices knows that nobody reads its operand any more.
 */
#include "reductions/slices.h"
#include "messages/staging.h"

/* ---- Combining. ---- */

/* In blocks which the first cache holds beside what is read. */
enum { ORDERED_BLOCK = 512, BLOCK = 4096 };

static bool combine_in_order(const struct reduce *reduce, const unsigned char *const given[], size_t from, size_t bytes,
                             unsigned char *into) {
  _Alignas(16) unsigned char values[ORDER_MEMBERS][ORDERED_BLOCK];
  const struct order *order = reduce->order;
  bool doubt = false;
  for (size_t at = 0, n; at < bytes; at += n) {
    bool is_copied[ORDER_MEMBERS] = {false};
    n = bytes - at < ORDERED_BLOCK ? bytes - at : ORDERED_BLOCK;
    for (unsigned i = 0; i + 1 < order->members; i++) {
      const unsigned to = order->steps[i].into, other = order->steps[i].from;
      if (!is_copied[to])
        copy_bytes(values[to], given[to] + from + at, n);
      is_copied[to] = true;
      doubt |= reduce->reduction->combine(values[to], is_copied[other] ? values[other] : given[other] + from + at,
                                          n / reduce->reduction->bytes);
    }
    copy_bytes(into + at, values[0], n);
  }
  return doubt;
}

/* In any order: each member begins with its own, so that not all read the same one's at once. */
static bool combine_in_any_order(const struct reduce *reduce, const unsigned char *const given[], size_t from,
                                 size_t bytes, unsigned char *into) {
  _Alignas(16) unsigned char value[BLOCK];
  const struct seat *seat = &reduce->collective.communicator->seat;
  bool doubt = false;
  for (size_t at = 0, n; at < bytes; at += n) {
    n = bytes - at < BLOCK ? bytes - at : BLOCK;
    copy_bytes(value, given[seat->place] + from + at, n);
    for (unsigned i = 1; i < seat->members; i++)
      doubt |= reduce->reduction->combine(value, given[(seat->place + i) % seat->members] + from + at,
                                          n / reduce->reduction->bytes);
    copy_bytes(into + at, value, n);
  }
  return doubt;
}

bool combine_of_members(const struct reduce *reduce, const unsigned char *const given[], size_t from, size_t count,
                        void *into) {
  const size_t bytes = count * reduce->reduction->bytes;
  return reduce->order ? combine_in_order(reduce, given, from, bytes, into)
                       : combine_in_any_order(reduce, given, from, bytes, into);
}

/* ---- Slices. ---- */

/* All but the last have as many elements, in whole lines. */
struct slices {
  unsigned count;
  size_t elements, bytes; /* of a slice */
};

static struct slices cut(const struct reduce *reduce) {
  const size_t members = reduce->collective.communicator->seat.members,
               in_line = SLICE_BYTES / reduce->reduction->bytes;
  size_t elements = (reduce->count + members - 1) / members;
  elements = (elements + in_line - 1) / in_line * in_line;
  return (struct slices){(unsigned)((reduce->count + elements - 1) / elements), elements,
                         elements * reduce->reduction->bytes};
}
static size_t slice_elements(const struct reduce *reduce, const struct slices *slices, unsigned place) {
  const size_t before = place * slices->elements;
  return place + 1 < slices->count ? slices->elements : place < slices->count ? reduce->count - before : 0;
}
/* Whether a slice stands in a slot. */
static bool fit_into_slots(const struct reduce *reduce, const struct slices *slices) {
  return slices->bytes <= slot_room(&reduce->collective.communicator->seat);
}

/* Where a slice goes that no slot holds: to what this member has staged, of which nobody else reads that slice, or to
 * memory of its own. NULL: there is none. */
static unsigned char *memory_for(struct collective *collective, const struct slices *slices, size_t from) {
  if (collective->staged)
    return (unsigned char *)collective->staged + from;
  collective->staged_bytes = slices->bytes;
  return collective->staged = staged_allocate(slices->bytes);
}

/* The second epoch: publishes the own slice, of what has been given in the first. */
static void give_slice(struct reduce *reduce, const struct slices *slices, const unsigned char *const given[]) {
  struct collective *collective = &reduce->collective;
  const unsigned place = collective->communicator->seat.place;
  const size_t from = place * slices->bytes, count = slice_elements(reduce, slices, place),
               bytes = count * reduce->reduction->bytes;
  const bool fits = fit_into_slots(reduce, slices);
  unsigned char room[fits ? slices->bytes : 1]; /* others look at the own slot already */
  unsigned char *into = collective->by_mpi ? NULL : fits ? room : memory_for(collective, slices, from);
  const bool doubt = into && combine_of_members(reduce, given, from, count, into);
  epoch_begin(&collective->communicator->seat);
  struct slot *slot = own_slot(collective);
  if (!into || doubt) {
    publish_slot(collective, slot, SLOT_BY_MPI, 0);
  } else if (fits) {
    copy_bytes(slot->payload, into, bytes);
    publish_slot(collective, slot, SLOT_DATA, bytes);
  } else {
    *(struct part_place *)slot->payload = (struct part_place){offset_of(mpishm.segment, into), bytes};
    publish_slot(collective, slot, SLOT_PLACES, sizeof(struct part_place));
  }
}

/* Hears all members, and gives the own slice if there is one. */
static void combine_own(struct reduce *reduce, const struct slices *slices) {
  struct seat *seat = &reduce->collective.communicator->seat;
  if (seat->place >= slices->count) {
    epoch_begin(seat);
    return;
  }
  const unsigned char *given[seat->members];
  for (unsigned i = 0; i < seat->members; i++) {
    const struct slot *slot = i == seat->place ? slot_at(seat, i) : hear(&reduce->collective, i);
    given[i] = slot->kind == SLOT_BY_MPI ? NULL : memory_of(&reduce->collective, slot, i);
  }
  give_slice(reduce, slices, given);
}

/* Hears all slices before it writes the first into the result: one may say that the bits are in doubt. */
static void take_slices(struct reduce *reduce, const struct slices *slices, bool has_result) {
  struct collective *collective = &reduce->collective;
  const struct seat *seat = &collective->communicator->seat;
  for (unsigned i = 0; i < slices->count; i++)
    if (i != seat->place)
      hear(collective, i);
  for (unsigned i = 0; i < slices->count && has_result && !collective->by_mpi; i++) {
    const unsigned from = (seat->place + i) % slices->count;
    const size_t bytes = slice_elements(reduce, slices, from) * reduce->reduction->bytes;
    copy_bytes((char *)reduce->result + from * slices->bytes, memory_of(collective, slot_at(seat, from), from), bytes);
  }
}

/* What a slot does not hold is read until all have met. Else who has heard the slices knows all members to be done with
 * the first epoch: those that gave a slice have heard all, and nobody else reads what was given in that. */
static void end_slices(struct reduce *reduce, const struct slices *slices, bool has_heard) {
  struct collective *collective = &reduce->collective;
  if (!fit_into_slots(reduce, slices))
    collective_settle(collective, false);
  else if (has_heard)
    epoch_end_of_all(&collective->communicator->seat);
  else
    epoch_end(&collective->communicator->seat);
  collective_release(collective);
}

bool reduce_by_slices(struct communicator *communicator, const struct reduction *reduction, const struct order *order,
                      unsigned root, const void *sendbuf, void *recvbuf, MPI_Count count) {
  const bool has_result = root == NOBODY || root == communicator->seat.place;
  struct reduce reduce = reduce_begin(communicator, reduction, sendbuf, recvbuf, count, true);
  reduce.collective.is_rooted = root != NOBODY;
  reduce.order = order;
  const struct slices slices = cut(&reduce);
  combine_own(&reduce, &slices);
  const bool hears = has_result || reduction->doubtful || reduce_is_long(&reduce);
  if (hears)
    take_slices(&reduce, &slices, has_result);
  end_slices(&reduce, &slices, hears);
  return reduce.collective.by_mpi;
}
