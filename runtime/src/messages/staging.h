/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages whose buffer the program has back before the receiver has them.
 */
#ifndef MPISHM_STAGING_H
#define MPISHM_STAGING_H

#include "messages/operations.h"

/* Memory of the window for one message, as long as the heap of the protocol has room. */
void *staged_allocate(size_t bytes);
/* NULL is nothing. */
void staged_free(void *memory, size_t bytes);
/* Bytes of messages that it holds now. */
extern size_t staged_bytes;

/* Copies the message out of the program's buffer, packed. */
void pack(struct operation *op, void *to);
/* Into the staged copy, which a receiver that is there follows, so that both copy at the same time. */
void pack_followed(struct operation *op);
/* Whether messages of this rank to that one are still on their way, as in an exchange: then two copies of what comes
 * from there hold up both ranks, one after the other; else, while both copy, one. Looks at some of them. */
bool sends_under_way(const struct endpoint *endpoint);
/* Tells what it has cost to bring a message to a receiver that has it now. */
void tell_cost(const struct operation *op);

/* Whether a send is done as soon as its buffer is free, the message being where its receiver gets it from without the
 * program: its receiver may sit in a call of MPI and never come to fetch it before this send has completed. */
static inline bool may_leave(const struct operation *op) { return !op->synchronous || op->matched; }

/* The send is done; what it holds waits for the receiver without it. False: no memory, it must wait itself. */
bool leave_staged(struct operation *op);
/* The same when MPI has the message, op->copy. */
bool leave_copy(struct operation *op);
/* Its buffer is not read any more where it lies scattered. */
void forget_description(struct operation *op);
/* Gives back what a message holds that its receiver has. */
void release_rendezvous(struct operation *op);

/* Takes the message of a send that may leave out of the program's buffer. False when the buffer is its receiver's now,
 * or MPI wants the send to wait, or MPI reads the buffer itself. */
bool stage(struct operation *op);
/* Hands the message to MPI, from a private copy, so that the send is finished whatever the receiver does. */
void send_by_mpi(struct operation *op);

/* Whether the kernel copies between this rank and another: as long as it has refused neither of them. */
static inline bool kernel_copies(const struct endpoint *endpoint) {
  return mpishm.kernel_copies && !atomic_load_explicit(&mpishm.segment->refused, memory_order_relaxed) &&
         !atomic_load_explicit(&endpoint->segment->refused, memory_order_relaxed);
}
/* It has failed to, errno says why. Unless that was for this piece of memory no message is left to the kernel any more,
 * which could refuse it when its sender is through with it. */
COLD void kernel_copy_failed(void);

/* From now on the kernel may refuse to let the receiver copy the buffer of this send, which only this rank can mend:
 * every wait of its looks after that. */
void may_be_refused(struct operation *op);

/* Gives back what finished messages hold; looks at so many at most. */
void reclaim_staged(size_t most);
/* The same, of all. True when MPI still sends something for them. */
bool sends_reclaim(void);
/* Frees what messages hold that nobody fetched, once nobody can any more. */
void sends_discard(void);

#endif
