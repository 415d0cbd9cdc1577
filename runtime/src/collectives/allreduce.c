/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: reductions to all members, and to one. All come to the same, also where they find that the bits may
 * depend on the order: then MPI does it anew.
 */
#include "collectives/reduce.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

/* True: the bits are in doubt; then the buffer is as it was before. */
static inline bool reduce_all(struct reduce *reduce) {
  const struct seat *seat = &reduce->collective.communicator->seat;
  if (UNLIKELY(reduce_is_long(reduce)))
    hear_all(reduce);
  if (UNLIKELY(reduce->collective.by_mpi))
    return false;
  bool doubt = reduce_given(reduce, seat->members, 0, reduce->count);
  if (UNLIKELY(doubt) && reduce->in_place)
    copy_bytes(reduce->result, given_by(reduce, seat->place), reduce->bytes);
  return doubt;
}

/* Entered already. True: it is MPI's after all. Where the values decide that, all members look at short ones, as the
 * root does; at long ones it alone, and tells them. */
static bool reduce_to(struct communicator *communicator, const struct reduction *reduction, unsigned root,
                      const void *sendbuf, void *recvbuf, MPI_Count count) {
  struct reduce reduce = reduce_begin(communicator, reduction, sendbuf, recvbuf, count);
  reduce.collective.is_rooted = true;
  bool is_root = communicator->seat.place == root, is_long = reduce_is_long(&reduce);
  char unused[is_root || is_long ? 1 : reduce.bytes];
  if (!is_root && !is_long && !reduction->doubtful)
    return collective_end_of_root(&reduce.collective, root, SLOT_DATA);
  if (!is_root)
    reduce.result = unused;
  bool doubt = (is_root || !is_long) && reduce_all(&reduce);
  return collective_end_of_all(&reduce.collective, is_long, doubt) || doubt;
}

#define COUNTED "collectives/allreduce_calls.h"
#include "point_to_point/counted.h"
