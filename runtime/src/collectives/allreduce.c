/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: reductions to all members, and to one. Members combine what all have given in the order of their ranks,
 * so that all come to the same, also where they find that the bits may depend on the order: then MPI does it anew.
 */
#include "collectives/parts.h"
#include "collectives/reductions.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

enum { MEMBERS_OF_LONG = 4 }; /* each of which reads all of what the others give */

struct reduce {
  struct collective collective;
  const struct reduction *reduction;
  const void *mine;
  void *result;
  size_t count, bytes;
  bool in_place;
};

/* The reduction, or NULL where the call is MPI's. Of what all members pass alike. */
static inline const struct reduction *find_reduction(const struct communicator *communicator, MPI_Count count,
                                                     MPI_Datatype datatype, MPI_Op op) {
  const struct reduction *reduction = communicator && count > 0 ? reduction_find(op, datatype) : NULL;
  if (!reduction || (reduction->only_of_two && communicator->size != 2))
    return NULL;
  bool is_long = (size_t)count * reduction->bytes > slot_room(&communicator->seat);
  return is_long && communicator->size > MEMBERS_OF_LONG ? NULL : reduction;
}

static inline struct reduce reduce_begin(struct communicator *communicator, const struct reduction *reduction,
                                         const void *sendbuf, void *recvbuf, MPI_Count count) {
  bool in_place = sendbuf == MPI_IN_PLACE;
  const void *mine = in_place ? recvbuf : sendbuf;
  size_t bytes = (size_t)count * reduction->bytes;
  struct reduce reduce = {collective_begin(communicator), reduction, mine, recvbuf, (size_t)count, bytes, in_place};
  struct part part = {.piece = (char *)mine, .count = (size_t)count, .bytes = bytes};
  publish_part(&reduce.collective, &part, PUBLISH_IN_WINDOW | (in_place ? PUBLISH_COPY : 0));
  return reduce;
}

static inline bool reduce_is_long(const struct reduce *reduce) {
  return reduce->bytes > slot_room(&reduce->collective.communicator->seat);
}

/* What a member gives. That of this one is not in its buffer where the result goes there. */
static inline const void *given_by(struct reduce *reduce, unsigned place) {
  const struct seat *seat = &reduce->collective.communicator->seat;
  if (place != seat->place)
    return memory_of(&reduce->collective, hear(&reduce->collective, place), place);
  return reduce->in_place ? memory_of(&reduce->collective, slot_at(seat, place), place) : reduce->mine;
}

/* Before the first byte of the result is written: a member may have had no memory. */
COLD static void hear_all(struct reduce *reduce) {
  const struct seat *seat = &reduce->collective.communicator->seat;
  for (unsigned i = 0; i < seat->members; i++)
    if (i != seat->place)
      hear(&reduce->collective, i);
}

/* True: the bits are in doubt; then the buffer is as it was before. */
static inline bool reduce_all(struct reduce *reduce) {
  const struct seat *seat = &reduce->collective.communicator->seat;
  bool doubt = false;
  if (UNLIKELY(reduce_is_long(reduce)))
    hear_all(reduce);
  if (UNLIKELY(reduce->collective.by_mpi))
    return false;
  copy_bytes(reduce->result, given_by(reduce, 0), reduce->bytes);
  for (unsigned i = 1; i < seat->members; i++)
    doubt |= reduce->reduction->combine(reduce->result, given_by(reduce, i), reduce->count);
  if (UNLIKELY(doubt) && reduce->in_place)
    copy_bytes(reduce->result, given_by(reduce, seat->place), reduce->bytes);
  return doubt;
}

/* What MPI would take for buffers. */
static inline bool are_buffers(const void *sendbuf, const void *recvbuf) {
  return sendbuf && recvbuf && sendbuf != recvbuf && recvbuf != MPI_IN_PLACE;
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
