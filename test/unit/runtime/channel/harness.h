/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One channel between two threads that play the ranks of a node: what operations.c and sending.c do with channel.h,
 * without MPI. Functions of the sender belong to one thread, those of the receiver to another. C, since the headers of
 * the runtime use C's atomics; opaque to the tests, which are C++.
 */
#ifndef MPISHM_TEST_HARNESS_H
#define MPISHM_TEST_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct channel;
struct message; /* a large send */
struct posted;  /* a receive */

/* Two segments of `bytes` each. */
struct channel *channel_create(size_t bytes);
/* From another rank to the same receiver; four in all, ranks 0 to 3 in the order of creation. */
struct channel *channel_create_beside(struct channel *other);
void channel_destroy(struct channel *channel);
/* Bytes of the sender's heap that can be allocated in one piece. */
size_t channel_largest_piece(struct channel *channel);
/* Bytes of the sender's heap that are committed. */
size_t channel_committed(const struct channel *channel);

/* Sender. */
bool channel_send(struct channel *channel, uint32_t context, int tag, const void *data, size_t bytes);
struct message *channel_offer(struct channel *channel, uint32_t context, int tag, const void *data, size_t bytes);
/* Offers a message of which nothing is staged yet, and stages it in `parts`. */
struct message *channel_offer_staged(struct channel *channel, uint32_t context, int tag, const void *data, size_t bytes,
                                     unsigned parts);
bool message_done(struct message *message);
/* Finds the posted receive and fills it, or (not `fill`) leaves the rendezvous with it. */
bool message_match(struct message *message, bool fill);
/* Takes the buffer back and stages the message; false when the receiver was faster. The buffer is then free. */
bool message_stage(struct message *message);
/* The same, but MPI has the message, as one of this position. */
bool message_leave(struct message *message, uint64_t position);
/* Frees a message that is done. */
void message_free(struct message *message);
void channel_leave(struct channel *channel);
bool channel_announce_mpi(struct channel *channel, uint32_t context, int tag, size_t bytes, uint64_t *position);
/* After channel_leave: the position of a message that the test then announces with channel_announced. */
uint64_t channel_note_left(struct channel *channel, uint32_t context, int tag);
/* Whether a message through MPI has a posted receive that its receiver has not seen it for. */
bool channel_is_met(struct channel *channel, uint32_t context, int tag, uint64_t position);
/* How far the messages that are in no cell reach in the sender's memory for them: that after the last one. */
size_t channel_eager_end(const struct channel *channel);
/* The position of the last message. */
uint64_t channel_last(const struct channel *channel);
/* Claims the receive on the receiver's board that the message at this position is going to get. */
bool channel_claim(struct channel *channel, uint64_t position);

/* Receiver. */
struct posted *channel_post(struct channel *channel, uint32_t context, int tag, void *buffer, size_t capacity);
/* The same with its record outside the segment, where no sender can see it. */
struct posted *channel_post_private(struct channel *channel, uint32_t context, int tag, void *buffer, size_t capacity);
/* One try, which drains no more than `posted` needs; that may be NULL just to drain all. */
bool channel_poll(struct channel *channel, struct posted *posted);
/* receiver_take_next. */
bool channel_take_next(struct channel *channel, uint32_t context, int tag, void *buffer, size_t capacity,
                       size_t *bytes);
size_t posted_bytes(const struct posted *posted);
/* What envelopes_cross says of the receive and its message. */
bool posted_crosses(const struct posted *posted);
bool posted_is_mpi(const struct posted *posted);
uint64_t posted_position(const struct posted *posted);
bool posted_withdraw(struct channel *channel, struct posted *posted);
void posted_free(struct channel *channel, struct posted *posted);
/* The oldest unexpected message of an envelope, whose tag may be -1 for any: its tag and order, and a receive for it.
 */
bool channel_peek(struct channel *channel, uint32_t context, int tag, int *found, uint64_t *order);
struct posted *channel_take(struct channel *channel, uint32_t context, int tag, void *buffer, size_t capacity);
void channel_announced(struct channel *channel, uint32_t context, int tag, size_t bytes);
size_t channel_unexpected(const struct channel *channel);

/* The receiver's board, which its channels share; all between the first two. Tag and source may be -1 for any. */
void channel_lock_board(struct channel *channel);
void channel_unlock_board(struct channel *channel);
/* Puts a receive on it; false when the segment has no room for it. */
bool channel_await(struct channel *channel, uint32_t context, int tag, int source);
void channel_remove(struct channel *channel, unsigned i);
/* Promises the i-th to the message of this channel at that position, which has been seen. */
void channel_promise(struct channel *channel, unsigned i, uint64_t position);
int channel_claimer(struct channel *channel, unsigned i);
size_t channel_on_board(struct channel *channel);
/* What has claimed one of them does not get it. */
void channel_void(struct channel *channel);
/* From now on there are posted receives that no sender can see. */
void channel_hide(struct channel *channel);

#ifdef __cplusplus
}
#endif

#endif
