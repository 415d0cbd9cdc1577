/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: reductions of which each member gets another part: of the members up to it, or of the elements. Each
 * finds out for itself alone whether the bits are in doubt, and so tells the others where the values decide that.
 */
#include "members/aliases.h"
#include "members/sides.h"
#include "members/trials.h"
#include "mpishm.h"
#include "next/next.h"
#include "reductions/handed_operands.h"
#include "reductions/reduce.h"
#include "watch/enter.h"

/* Of a result of so many elements, which nobody has written where it is MPI's from the start. True: it is MPI's after
 * all; then the buffer is as it was before. */
static bool partial_end(struct reduce *reduce, bool hears_all, bool doubt, size_t count) {
  struct collective *collective = &reduce->collective;
  if (reduce_is_long(reduce) || reduce->reduction->doubtful)
    return reduce_settle(reduce, doubt, count);
  return hears_all ? collective_end_of_all(collective, false, false)
                   : collective_end_of_root(collective, collective->communicator->seat.place, SLOT_DATA);
}

/* A short scan of two members: the first one hands the second its operand, which is its own result. */
static bool scan_handed(struct communicator *communicator, const struct reduction *reduction,
                        const struct extreme_choices *choices, const void *sendbuf, void *recvbuf, MPI_Count count,
                        MPI_Datatype datatype, MPI_Op op, bool excludes, int *error) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  if (communicator->rank == 1 && !excludes)
    return reduce_take(communicator, reduction, choices, sendbuf, recvbuf, count, datatype, op, error);
  const void *mine = in_place ? recvbuf : sendbuf;
  if (excludes) {
    const bool gives = communicator->rank == 0;
    *error = exchange_operand(communicator, gives ? mine : recvbuf, count, datatype, gives);
    return false;
  }
  bool by_mpi = reduce_hand(communicator, reduction, mine, count, datatype, error);
  if (!in_place && !by_mpi)
    copy_bytes(recvbuf, mine, (size_t)count * reduction->bytes);
  return by_mpi;
}

/* The reduction of a scan, whose members read all of what those before them give; or NULL where the call is MPI's. */
static const struct reduction *find_scan(const struct communicator *communicator, MPI_Count count,
                                         MPI_Datatype datatype, MPI_Op op) {
  enum { MEMBERS_OF_LONG = 4 };
  const struct reduction *reduction = find_reduction(communicator, count, datatype, op);
  bool is_long = reduction && exceeds_slot(communicator, (size_t)count * reduction->bytes);
  return is_long && communicator->size > MEMBERS_OF_LONG ? NULL : reduction;
}

/* Entered already. True: the call is MPI's. Of the members before this one, and it, unless it is excluded. */
static bool scan(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, bool excludes,
                 MPI_Comm comm, int *error) {
  if (is_refused_reduction(sendbuf, recvbuf, count))
    return true;
  struct communicator *communicator = collective_find(comm, excludes ? CALL_EXSCAN : CALL_SCAN);
  const struct reduction *reduction = find_scan(communicator, count, datatype, op);
  bool in_place = sendbuf == MPI_IN_PLACE, doubt = false;
  if (!reduction)
    return true;
  const struct extreme_choices *choices = NULL;
  const bool is_handed = excludes
                             ? are_handed(communicator, reduction, count)
                             : are_handed_over(communicator, reduction, count, datatype, op, MEMBERS_BEFORE, &choices);
  unsigned until = communicator->seat.place + (excludes ? 0 : 1);
  if (until == 0 && !in_place ? !sendbuf : !are_buffers(sendbuf, recvbuf)) /* it has no result, and may have no room */
    return true;
  if (is_handed)
    return scan_handed(communicator, reduction, choices, sendbuf, recvbuf, count, datatype, op, excludes, error);
  if (trial_leaves(communicator, excludes ? TRIED_EXSCAN : TRIED_SCAN, (size_t)count * reduction->bytes))
    return true;
  struct reduce reduce = reduce_begin(communicator, reduction, sendbuf, recvbuf, count, true);
  reduce.collective.is_rooted = true;
  if (UNLIKELY(reduce_is_long(&reduce)))
    hear_all(&reduce);
  if (until > 0 && !reduce.collective.by_mpi)
    doubt = reduce_any(&reduce, until, 0, reduce.count);
  return partial_end(&reduce, false, doubt, until > 0 ? reduce.count : 0);
}

/* Of the elements that are this member's by `receive`, whose counts all pass alike. */
static bool reduce_scatter(const void *sendbuf, const struct side *receive, MPI_Op op, MPI_Comm comm) {
  if (UNLIKELY(sendbuf == receive->buffer) && is_refused_in_parts(comm, receive))
    return true;
  struct communicator *communicator =
      collective_find(comm, receive->form == SAME ? CALL_REDUCE_SCATTER_BLOCK : CALL_REDUCE_SCATTER);
  MPI_Count before = 0, all = 0;
  if (!communicator || (receive->form == COUNTS && !receive->counts))
    return true;
  unsigned place = communicator->seat.place;
  for (unsigned i = 0; i < communicator->seat.members; i++) {
    if (count_of(receive, i) < 0)
      return true;
    before += i < place ? count_of(receive, i) : 0;
    all += count_of(receive, i);
  }
  const struct reduction *reduction = find_reduction(communicator, all, receive->datatype, op);
  size_t count = (size_t)count_of(receive, place);
  bool needs_room = count > 0 || sendbuf == MPI_IN_PLACE;
  if (!reduction || (needs_room ? !are_buffers(sendbuf, receive->buffer) : !sendbuf))
    return true;
  if (trial_leaves(communicator, receive->form == SAME ? TRIED_REDUCE_SCATTER_BLOCK : TRIED_REDUCE_SCATTER,
                   (size_t)all * reduction->bytes))
    return true;
  struct reduce reduce = reduce_begin(communicator, reduction, sendbuf, (void *)receive->buffer, all, true);
  bool doubt = false;
  hear_all(&reduce);
  if (count > 0 && !reduce.collective.by_mpi)
    doubt = reduce_any(&reduce, communicator->seat.members, (size_t)before * reduction->bytes, count);
  return partial_end(&reduce, true, doubt, count);
}

#define COUNTED "collectives/partial_calls.h"
#include "point_to_point/counted.h"
