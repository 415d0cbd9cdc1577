/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The send side of a message.
 */
#ifndef MPISHM_SENDING_H
#define MPISHM_SENDING_H

#include "messages/operations.h"
#include "node/program_heap.h"

/* Called before a message is sent, NULL: not at all. What was taken for one that comes later (packing/) must not be
 * found by this one. */
extern void (*send_comes)(struct endpoint *endpoint, struct envelope envelope);

/* A send of at most `limit` bytes that finds room and need not wait for its receive: done at once. False: nothing has
 * happened. */
bool send_eager(struct route route, struct envelope envelope, const void *buffer, MPI_Count count, enum send_mode mode,
                size_t limit);
/* A message of a nonblocking send may stay in the window until its receiver reads it there. Up to the eager limit,
 * where it could be copied at once, the second says whether it does: once for each message. */
static inline bool may_stay_in_place(const void *buffer, size_t bytes) {
  return bytes > CYCLES_LEAST && buffer_offset(buffer, bytes);
}
NOINLINE bool stays_in_place(struct endpoint *endpoint, size_t bytes);
/* The limit for such a send. */
static inline size_t nonblocking_limit(struct endpoint *endpoint, const void *buffer, size_t bytes) {
  bool eager = bytes > mpishm.eager_limit || !may_stay_in_place(buffer, bytes) || !stays_in_place(endpoint, bytes);
  return eager ? mpishm.eager_limit : 0;
}
/* Copies a message of so many bytes, or more, to its place beside the ring, in the way that is measured to cost less
 * (channel/ways.h). */
enum { PUT_LONGER = 2 << 10 };
NOINLINE void put_longer(struct endpoint *endpoint, void *place, const void *data, size_t bytes);
/* Copies a message out of the program's buffer, packed. */
void gather(const struct layout *layout, const void *buffer, size_t count, void *to, size_t bytes);
/* Any other send. */
NOINLINE void send_start(struct operation *op, struct route route, struct envelope envelope, const void *buffer,
                         MPI_Count count, int dest, enum send_mode mode);
/* Its part of operation_try. */
bool send_poll(struct operation *op);
/* A synchronous send that goes through MPI, whose receive is posted: done, though MPI does not know before the receiver
 * looks for messages, which it may do only after this send. */
bool send_is_met(struct operation *op);

#endif
