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
#include "reductions/slices.h"
#include "reductions/sums.h"
#include "watch/enter.h"

/* As reduce_given, of short ones. */
static bool reduce_in_order(struct reduce *reduce) {
  const unsigned char *given[ORDER_MEMBERS];
  for (unsigned i = 0; i < reduce->order->members; i++)
    given[i] = given_by(reduce, i);
  return combine_of_members(reduce, given, 0, reduce->count, reduce->result);
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

/* The same, entered already, of all of a call to all. True: it is MPI's after all; then the buffer is as it was. */
static inline bool reduce_to_all(struct communicator *communicator, const struct reduction *reduction,
                                 const struct order *order, const void *sendbuf, void *recvbuf, MPI_Count count) {
  if (UNLIKELY(goes_by_slices(communicator, (size_t)count * reduction->bytes)))
    return reduce_by_slices(communicator, reduction, order, NOBODY, sendbuf, recvbuf, count);
  struct reduce reduce = reduce_begin(communicator, reduction, sendbuf, recvbuf, count, true);
  reduce.order = order;
  bool doubt = reduce_all(&reduce); /* the same for all */
  return UNLIKELY(reduce_is_long(&reduce)) ? reduce_settle(&reduce, doubt, reduce.count)
                                           : collective_end_of_all(&reduce.collective, false, doubt) || doubt;
}

/* Entered already. True: it is MPI's after all. Where the values decide that, all members look at short ones, as the
 * root does; at long ones, of two members, it alone, and tells the other. */
static bool reduce_to(struct communicator *communicator, const struct reduction *reduction, const struct order *order,
                      unsigned root, const void *sendbuf, void *recvbuf, MPI_Count count) {
  if (UNLIKELY(goes_by_slices(communicator, (size_t)count * reduction->bytes)))
    return reduce_by_slices(communicator, reduction, order, root, sendbuf, recvbuf, count);
  bool is_root = communicator->seat.place == root;
  bool is_long = exceeds_slot(communicator, (size_t)count * reduction->bytes);
  struct reduce reduce =
      reduce_begin(communicator, reduction, sendbuf, recvbuf, count, !is_root || (!is_long && reduction->doubtful));
  reduce.collective.is_rooted = true;
  reduce.order = order;
  char unused[is_root || is_long ? 1 : reduce.bytes];
  if (!is_root && !is_long && !reduction->doubtful)
    return collective_end_of_root(&reduce.collective, root, SLOT_DATA);
  if (!is_root)
    reduce.result = unused;
  bool doubt = (is_root || !is_long) && reduce_all(&reduce);
  if (UNLIKELY(is_long))
    return reduce_settle(&reduce, doubt, reduce.count);
  return collective_end_of_all(&reduce.collective, false, doubt) || doubt;
}

#define COUNTED "collectives/allreduce_calls.h"
#include "point_to_point/counted.h"
