/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What reductions have in common. Members combine what others have given in the order of their ranks, or (sums.h) in
 * that of the MPI library.
 */
#ifndef MPISHM_REDUCE_H
#define MPISHM_REDUCE_H

#include "members/parts.h"
#include "orders/order.h"
#include "reductions/reductions.h"

enum {
  KERNEL_BYTES = 32 << 10 /* private data that is shorter, or of more members than two, is copied into the window */
};

struct reduce {
  struct collective collective;
  const struct reduction *reduction;
  const struct order *order; /* NULL: that of the ranks */
  const void *mine;
  void *result;
  size_t count, bytes;
  bool in_place, is_written; /* the latter: the result, if only in part */
};

/* Whether a slot is too small for that. */
static inline bool exceeds_slot(const struct communicator *communicator, size_t bytes) {
  return bytes > slot_room(&communicator->seat);
}

/* The reduction, or NULL where the call is MPI's. Of what all members pass alike. */
static inline const struct reduction *find_reduction(const struct communicator *communicator, MPI_Count count,
                                                     MPI_Datatype datatype, MPI_Op op) {
  const struct reduction *reduction = communicator && count > 0 ? reduction_find(op, datatype) : NULL;
  return reduction && reduction->only_of_two && communicator->size != 2 ? NULL : reduction;
}

/* `gives`: others may read what this member has. Without, it has it where it is, or in its slot if that is in place. */
static inline struct reduce reduce_begin(struct communicator *communicator, const struct reduction *reduction,
                                         const void *sendbuf, void *recvbuf, MPI_Count count, bool gives) {
  bool in_place = sendbuf == MPI_IN_PLACE;
  const void *mine = in_place ? recvbuf : sendbuf;
  size_t bytes = (size_t)count * reduction->bytes;
  struct reduce reduce = {
      collective_begin(communicator), reduction, NULL, mine, recvbuf, (size_t)count, bytes, in_place, false};
  struct part part = {.piece = (char *)mine, .count = (size_t)count, .bytes = bytes};
  bool stays = bytes >= KERNEL_BYTES && communicator->size == 2;
  if (gives || in_place)
    publish_part(&reduce.collective, &part, in_place ? PUBLISH_COPY : stays ? PUBLISH_TO_ALL : PUBLISH_IN_WINDOW);
  return reduce;
}

static inline bool reduce_is_long(const struct reduce *reduce) {
  return exceeds_slot(reduce->collective.communicator, reduce->bytes);
}

/* What a member gives. That of this one is not in its buffer where the result goes there. */
static inline const void *given_by(struct reduce *reduce, unsigned place) {
  const struct seat *seat = &reduce->collective.communicator->seat;
  if (place != seat->place)
    return memory_of(&reduce->collective, hear(&reduce->collective, place), place);
  return reduce->in_place ? memory_of(&reduce->collective, slot_at(seat, place), place) : reduce->mine;
}

/* Before the first byte of the result is written: a member may have had no memory. */
static inline void hear_all(struct reduce *reduce) {
  const struct seat *seat = &reduce->collective.communicator->seat;
  for (unsigned i = 0; i < seat->members; i++)
    if (i != seat->place)
      hear(&reduce->collective, i);
}

/* Combines what the members before `until` have given, `count` elements at `from` bytes. True: the bits are in doubt.
 */
static inline bool reduce_given(struct reduce *reduce, unsigned until, size_t from, size_t count) {
  bool doubt = false;
  reduce->is_written = true;
  copy_bytes(reduce->result, (const char *)given_by(reduce, 0) + from, count * reduce->reduction->bytes);
  for (unsigned i = 1; i < until; i++)
    doubt |= reduce->reduction->combine(reduce->result, (const char *)given_by(reduce, i) + from, count);
  return doubt;
}

/* The same of long ones, which all have been heard. The kernel may refuse to read them. */
NOINLINE bool reduce_long(struct reduce *reduce, unsigned until, size_t from, size_t count);
static inline bool reduce_any(struct reduce *reduce, unsigned until, size_t from, size_t count) {
  return UNLIKELY(reduce_is_long(reduce)) ? reduce_long(reduce, until, from, count)
                                          : reduce_given(reduce, until, from, count);
}
/* The end of one of whose result, of so many elements, members have parts of their own, or of long ones: all tell one
 * another whether the bits are in doubt. True: it is MPI's after all; then the buffer is as it was before. */
NOINLINE bool reduce_settle(struct reduce *reduce, bool doubt, size_t count);

/* What MPI would take for buffers. */
static inline bool are_buffers(const void *sendbuf, const void *recvbuf) {
  return sendbuf && recvbuf && sendbuf != recvbuf && recvbuf != MPI_IN_PLACE;
}

#endif
