/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: reductions to all members, and to one. All come to the same, also where they find that the bits may
 * depend on the order: then MPI does it anew.
 */
#include "members/aliases.h"
#include "members/trials.h"
#include "mpishm.h"
#include "next/next.h"
#include "reductions/handed_operands.h"
#include "reductions/sums.h"
#include "watch/enter.h"

/* As reduce_given, of short ones. */
static bool reduce_in_order(struct reduce *reduce) {
  enum { BLOCK = 512 };
  _Alignas(16) unsigned char values[ORDER_MEMBERS][BLOCK];
  const struct order *order = reduce->order;
  const unsigned char *given[ORDER_MEMBERS] = {given_by(reduce, 0)};
  bool doubt = false;
  for (unsigned i = 1; i < order->members; i++)
    given[i] = given_by(reduce, i);
  for (size_t at = 0, n; at < reduce->bytes; at += n) {
    n = reduce->bytes - at < BLOCK ? reduce->bytes - at : BLOCK;
    copy_bytes(values[0], given[0] + at, n);
    for (unsigned i = 1; i < order->members; i++)
      copy_bytes(values[i], given[i] + at, n);
    for (unsigned i = 0; i + 1 < order->members; i++)
      doubt |= reduce->reduction->combine(values[order->steps[i].into], values[order->steps[i].from],
                                          n / reduce->reduction->bytes);
    copy_bytes((unsigned char *)reduce->result + at, values[0], n);
  }
  return doubt;
}

/* True: the bits are in doubt; then the buffer is as it was before, but for long ones. */
static inline bool reduce_all(struct reduce *reduce) {
  const struct seat *seat = &reduce->collective.communicator->seat;
  if (UNLIKELY(reduce_is_long(reduce))) {
    hear_all(reduce);
    return !reduce->collective.by_mpi && reduce_long(reduce, seat->members, 0, reduce->count);
  }
  bool doubt = reduce->order ? reduce_in_order(reduce) : reduce_given(reduce, seat->members, 0, reduce->count);
  if (UNLIKELY(doubt) && reduce->in_place)
    copy_bytes(reduce->result, given_by(reduce, seat->place), reduce->bytes);
  return doubt;
}

/* Entered already. True: it is MPI's after all. Where the values decide that, all members look at short ones, as the
 * root does; at long ones, and where it alone knows the order, it alone, and tells them. */
static bool reduce_to(struct communicator *communicator, const struct reduction *reduction, const struct order *order,
                      unsigned root, const void *sendbuf, void *recvbuf, MPI_Count count) {
  bool is_root = communicator->seat.place == root;
  bool is_long = exceeds_slot(communicator, (size_t)count * reduction->bytes), root_alone = is_long || order;
  struct reduce reduce =
      reduce_begin(communicator, reduction, sendbuf, recvbuf, count, !is_root || (!root_alone && reduction->doubtful));
  reduce.collective.is_rooted = true;
  reduce.order = order;
  char unused[is_root || root_alone ? 1 : reduce.bytes];
  if (!is_root && !root_alone && !reduction->doubtful)
    return collective_end_of_root(&reduce.collective, root, SLOT_DATA);
  if (!is_root)
    reduce.result = unused;
  bool doubt = (is_root || !root_alone) && reduce_all(&reduce);
  if (UNLIKELY(is_long))
    return reduce_settle(&reduce, doubt, reduce.count);
  return collective_end_of_all(&reduce.collective, root_alone, doubt) || doubt;
}

#define COUNTED "collectives/allreduce_calls.h"
#include "point_to_point/counted.h"
