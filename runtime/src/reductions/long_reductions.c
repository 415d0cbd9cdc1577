/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions of what a slot is too small for. Of two members the kernel reads the other's private data straight into
 * the result, to which the own is added: copied into the window first, it would have to come from there, line by line,
 * out of the caches of the core that wrote it. Of more, all is in the window.
 */
#include "reductions/reduce.h"

bool reduce_long(struct reduce *reduce, unsigned until, size_t from, size_t count) {
  struct collective *collective = &reduce->collective;
  const struct seat *seat = &collective->communicator->seat;
  const unsigned other = 1 - seat->place;
  if (seat->members != 2 || other >= until || slot_at(seat, other)->kind != SLOT_PRIVATE_PLACES)
    return reduce_given(reduce, until, from, count);
  const size_t bytes = count * reduce->reduction->bytes;
  struct part result = {.piece = reduce->result, .count = bytes, .bytes = bytes};
  struct part_place place = *(const struct part_place *)slot_at(seat, other)->payload;
  reduce->is_written = true;
  take_from_place(collective, slot_at(seat, other), other, (struct part_place){place.at + from, bytes}, &result);
  if (collective->refused || seat->place >= until)
    return false;
  return reduce->reduction->combine(reduce->result, (const char *)given_by(reduce, seat->place) + from, count);
}

bool reduce_settle(struct reduce *reduce, bool doubt, size_t count) {
  struct collective *collective = &reduce->collective;
  bool by_mpi = collective_settle(collective, doubt);
  if (by_mpi && reduce->is_written && reduce->in_place)
    copy_bytes(reduce->result, given_by(reduce, collective->communicator->seat.place),
               count * reduce->reduction->bytes);
  collective_release(collective);
  return by_mpi;
}
