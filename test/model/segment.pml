/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What lies in the window (channel/segment.h), what else both processes see, and the mistakes that can be seeded.
 */

/* Sizes. A ring of 2 cells has one for a message and one for the jump; its laps are short. */
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef RECEIVES
#define RECEIVES MESSAGES
#endif
#ifndef RINGS
#define RINGS 2
#endif
#ifndef RENDEZVOUSES
#define RENDEZVOUSES 2 /* records in the slab */
#endif
#define TAGS 2
#define FIRST_RING_CELLS 2
#define CELLS 6
#define EAGER_SLOTS 2 /* one in the first memory of eager messages, one in the second */

/* Words. */
#define LOCK 0
#define CONSUMED 1
#define RING 2
#define POSTED 3 /* the chain: 1 + record, 0: none. One bucket, so that all envelopes are in one chain */
#define CELL(c) (4 + (c))
#define RENDEZVOUS_STATE(k) (4 + CELLS + (k))
#define RECEIVE_STATE(r) (4 + CELLS + RENDEZVOUSES + (r))
#define NEXT(r) (4 + CELLS + RENDEZVOUSES + RECEIVES + (r))
#define PUT(k) (4 + CELLS + RENDEZVOUSES + 2 * RECEIVES + (k)) /* rendezvous.staged: 1 when the message is there */
#define WORDS (4 + CELLS + 2 * RENDEZVOUSES + 2 * RECEIVES)

/* Plain data. */
#define RING_CELLS 0
#define CELL_REST(c) (1 + (c))                         /* all but the word */
#define EAGER(s) (1 + CELLS + (s))
#define RENDEZVOUS(k) (1 + CELLS + EAGER_SLOTS + (k))  /* bytes */
#define ADDRESS(k) (RENDEZVOUS(k) + RENDEZVOUSES)      /* address, offset */
#define RECEIVE(r) (ADDRESS(r) + RENDEZVOUSES)         /* what its owner sets */
#define OUTCOME(r) (RECEIVE(r) + RECEIVES)             /* bytes, rendezvous */
#define RECEIVE_BUFFER(j) (OUTCOME(j) + RECEIVES)
#define SEND_BUFFER(m) (RECEIVE_BUFFER(0) + RECEIVES + (m))
#define STAGED(m) (SEND_BUFFER(m) + MESSAGES)
#include "memory.pml"

/* cell.word: kind | (position + 1) << 3 */
#define CELL_NONE 0
#define CELL_INLINE 1
#define CELL_EAGER 2
#define CELL_RENDEZVOUS 3
#define CELL_MPI 4
#define CELL_SKIP 5
#define CELL_JUMP 6
#define CELL_MPI_ONLY 7
#ifdef MISTAKE_NO_POSITION
#define CELL_WORD(kind, position) (kind)
#else
#define CELL_WORD(kind, position) ((kind) | ((position) + 1) << 3)
#endif
#define RING_NONE 2 /* inbox.ring: 0 not yet, 1 the first ring */

byte cell_tag[CELLS];
byte cell_ref[CELLS]; /* message (inline, MPI), slot, rendezvous */
byte eager[EAGER_SLOTS];

#define RENDEZVOUS_POSTED 0
#define RENDEZVOUS_CLAIMED 1
#define RENDEZVOUS_STAGING 2
#define RENDEZVOUS_STAGED 3
#define RENDEZVOUS_REFUSED 4
#define RENDEZVOUS_BY_MPI 5
#define RENDEZVOUS_DONE 6
byte rendezvous_message[RENDEZVOUSES]; /* address: the send buffer, position; FREED when nobody may look */
bit rendezvous_staged[RENDEZVOUSES];   /* offset, or a new address: the staged copy of that message */
#define FREED 99

#define RECEIVE_POSTED 0
#define RECEIVE_PUSHING 1
#define RECEIVE_MATCHED 2
#define RECEIVE_DONE 3
byte receive_tag[RECEIVES];
byte receive_form[RECEIVES];
byte receive_owner[RECEIVES];      /* the operation */
byte receive_rendezvous[RECEIVES]; /* when MATCHED */

/* Forms of receives. */
#define CONTIGUOUS 0 /* anybody can fill it */
#define SCATTERED 1  /* only its owner can */
#define PRIVATE 2    /* its record lies outside the segment: no sender can match it */

/* Buffers hold 1 + message; 0: something else. */
byte send_buffer[MESSAGES], receive_buffer[RECEIVES], staged[MESSAGES];

/* MPI, on a communicator of the runtime's own: messages, each with its tag, which the announcement tells, and after
 * CELL_MPI_ONLY the announcements, in order. Received: by a receive that may come before the message. */
bit mpi_sent[MESSAGES], mpi_received[MESSAGES];
byte mpi_message[MESSAGES];
byte announced, announcement[MESSAGES];

/* The programs: for scenarios in which one rank sits in a barrier of MPI's. */
bit sender_finished, receiver_posted, receiver_finished, all_finished;

/* ---- Seeded mistakes: each must be found. ---- */

#ifdef MISTAKE_PUBLISH_RELAXED
#define PUBLISH_ORDER RELAXED
#else
#define PUBLISH_ORDER ORDERED
#endif
#ifdef MISTAKE_CONSUME_RELAXED
#define CONSUME_ORDER RELAXED
#else
#define CONSUME_ORDER ORDERED
#endif
#ifdef MISTAKE_CONSUMED_RELAXED
#define CONSUMED_ORDER RELAXED
#else
#define CONSUMED_ORDER ORDERED
#endif
#ifdef MISTAKE_REFRESH_RELAXED
#define REFRESH_ORDER RELAXED
#else
#define REFRESH_ORDER ORDERED
#endif
#ifdef MISTAKE_FIRST_RING_RELAXED
#define FIRST_RING_ORDER RELAXED
#else
#define FIRST_RING_ORDER ORDERED
#endif
#ifdef MISTAKE_POST_RELAXED
#define POST_ORDER RELAXED
#else
#define POST_ORDER ORDERED
#endif
#ifdef MISTAKE_FOLLOW_RELAXED
#define FOLLOW_ORDER RELAXED
#else
#define FOLLOW_ORDER ORDERED
#endif
#ifdef MISTAKE_UNLOCK_RELAXED
#define UNLOCK_ORDER RELAXED
#else
#define UNLOCK_ORDER ORDERED
#endif
#ifdef MISTAKE_FINISH_RELAXED
#define FINISH_ORDER RELAXED
#else
#define FINISH_ORDER ORDERED
#endif
#ifdef MISTAKE_STAGED_RELAXED
#define STAGED_ORDER RELAXED
#else
#define STAGED_ORDER ORDERED
#endif
#ifdef MISTAKE_PUT_RELAXED
#define PUT_ORDER RELAXED
#else
#define PUT_ORDER ORDERED
#endif
#ifdef MISTAKE_HAND_OVER_RELAXED
#define HAND_OVER_ORDER RELAXED
#else
#define HAND_OVER_ORDER ORDERED
#endif

/* ---- What was reached: a transition that no run reaches is not checked. ---- */

c_decl {
  static const char *noted[64];
  static int noted_count;
  static void print_noted(void) {
    for (int i = 0; i < noted_count; i++)
      printf("reached: %s\n", noted[i]);
  }
  static void note_reached(const char *what) {
    for (int i = 0; i < noted_count; i++)
      if (strcmp(noted[i], what) == 0)
        return;
    if (noted_count == 0)
      atexit(print_noted);
    noted[noted_count++] = what;
  }
}
#define REACHED(what) c_code { note_reached(what); };

/* ---- The inbox's lock. ---- */

inline inbox_lock() {
  lock(LOCK)
}
inline inbox_unlock() {
  store(LOCK, 0, UNLOCK_ORDER)
}
