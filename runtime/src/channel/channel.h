/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The protocol between two ranks of a node, one direction: `struct sender` is the private side of the rank that sends,
 * `struct receiver` that of the rank that receives. Knows nothing of MPI: the unit tests and the model run it with
 * threads as ranks. Each side belongs to one thread at a time.
 *
 * The k-th send and the k-th receive of one envelope meet, whichever comes first, and either owner can complete the
 * pair without the other:
 *   - the receiver consumes cells in order and hands each to the oldest posted receive of its envelope, or keeps it as
 *     an unexpected message;
 *   - a sender whose cell was not consumed yet can match it to its posted receive itself (sender_match) and deliver it;
 *   - a sender that nobody has met can take its buffer back and stage the message (rendezvous_take_back).
 */
#ifndef MPISHM_CHANNEL_H
#define MPISHM_CHANNEL_H

#include "base/attributes.h"
#include "channel/segment.h"
#include "memory/heap.h"

/* ---- Sender. ---- */

/* A ring, or memory of eager messages, that was left for a larger one and that unconsumed cells still need. */
struct retired {
  struct retired *next; /* newer */
  void *memory;
  uint64_t start; /* a ring: position of its first cell, and its size; memory of messages: size 0 */
  uint64_t cells;
  uint64_t until; /* may go when so many cells are consumed */
};

struct sender {
  struct segment *segment; /* own */
  struct inbox *inbox;     /* in the receiver's segment */
  struct heap *heap;       /* of the own segment */

  struct cell *ring; /* NULL before the first message */
  uint64_t cells;    /* of the ring: a power of two */
  uint64_t start;    /* position of the ring's first cell */
  uint64_t position; /* cells written, ever */
  uint64_t limit;    /* cells may be written without another look while position is below */
  uint64_t consumed; /* what inbox->consumed was when last looked at */

  /* Memory of eager messages, used in order like the ring. Offsets are counted from its start and never wrap; the
   * memory does. eager_end[i] is where the message of the ring's i-th cell ends. */
  unsigned char *eager; /* NULL before the first */
  uint64_t eager_bytes, eager_head, eager_tail;
  uint64_t eager_first;     /* eager_bytes before messages that wait made it grow */
  uint64_t eager_committed; /* from its start on: a power of two */
  uint64_t eager_turn;      /* from its start on, used in turn; more while messages wait. Up to eager_first */
  uint64_t eager_look;      /* the head at which to look whether it may go back to the start */
  uint64_t eager_began;     /* position at which the present round has */
  unsigned eager_rounds;    /* of the present turn */
  uint64_t eager_base;      /* where the messages before the ring's first cell end */
  uint64_t *eager_end;

  struct retired *retired; /* oldest first */
  /* All messages before have got a receive, unless more claims than `voided` came to nothing (board.h). */
  uint64_t settled, voided;
  bool mpi_only; /* the window is exhausted */
  /* Envelopes of what was announced through MPI since then, as long as the receiver may not know it. Positions go on
   * from that of CELL_MPI_ONLY. */
  struct envelope *left;
  uint64_t left_start; /* position of the first announcement */
  uint64_t left_base;  /* that of left[0] */
  uint64_t left_count, left_room;
  bool left_lost; /* there was no memory to keep them */
};

/* The cell at a position of the present ring. */
static inline struct cell *sender_cell(struct sender *sender, uint64_t position) {
  return &sender->ring[(position - sender->start) & (sender->cells - 1)];
}

void sender_init(struct sender *sender, struct segment *own, struct segment *receivers, struct heap *heap,
                 unsigned own_rank);
/* Frees private memory; the rings go with the segment. */
void sender_destroy(struct sender *sender);

/* Room for a message of `bytes` in a cell or beside it, or NULL when there is none: then nothing has happened. The
 * payload is to be written there and published before anything else is sent. */
void *sender_reserve(struct sender *sender, size_t bytes);
void sender_publish(struct sender *sender, struct envelope envelope, const void *place, size_t bytes);

/* Both at once, for a message that fits a cell, if the next cell is known to be free. False: nothing has happened. */
bool sender_put(struct sender *sender, struct envelope envelope, const void *data, size_t bytes);

/* Publishes a rendezvous. Its position goes to *position, for sender_match. False when the ring has no room. */
bool sender_offer(struct sender *sender, struct envelope envelope, const struct rendezvous *rendezvous,
                  uint64_t *position);

/* Publishes that a message comes through MPI. Its position goes to *position. False when the ring has no room. */
bool sender_announce_mpi(struct sender *sender, struct envelope envelope, uint64_t bytes, uint64_t *position);

/* Publishes that from now on messages are announced through MPI, too. Never fails. */
void sender_leave(struct sender *sender);
/* Counts a message that is announced so, and returns its position. */
uint64_t sender_note_left(struct sender *sender, struct envelope envelope);

/* Whether the message at `position`, which goes through MPI, has a posted receive that the receiver will give it to as
 * soon as it looks. False also when the receiver has looked: then it asks MPI for the message. */
bool sender_is_met(struct sender *sender, struct segment *receivers, struct envelope envelope, uint64_t position);

/* Matches the message at `position` to its posted receive, if there is one and the receiver has not consumed the cell.
 * The receive is then the caller's: it fills the buffer or leaves the rendezvous, and calls receive_hand_over. */
struct receive *sender_match(struct sender *sender, struct segment *receivers, uint64_t position);
void receive_hand_over(struct receive *receive, enum receive_state state);

/* Takes the posted receive that the next message with this envelope is going to get, if others can write its buffer and
 * it has room for so many bytes; else NULL. Until receive_hand_over, or sender_give_back, this sender must publish
 * nothing that the receive could match. */
struct receive *sender_take(struct sender *sender, struct segment *receivers, struct envelope envelope, uint64_t bytes);
/* It is posted again, in its old place. Of several the order does not matter. */
void sender_give_back(struct sender *sender, struct receive *receive);

/* ---- Receiver. ---- */

/* A message that has come: what a receive is completed with. */
struct arrival {
  enum cell_kind kind; /* INLINE and EAGER: data; RENDEZVOUS: rendezvous; MPI: to be received through MPI */
  uint64_t bytes;
  uint64_t position; /* of its cell, or announcement: tells the message from others of its sender */
  const void *data;  /* valid during the call */
  struct rendezvous *rendezvous;
};

/* What some of the functions below call for each message that meets a posted receive, with the inbox's lock held: must
 * be short and never wait. `crosses`: see envelopes_cross. An argument, and not kept in the receiver, so that a
 * compiler that sees it is always the same can make it part of the path of a message. */
typedef void arrive_function(struct receive *receive, const struct arrival *arrival, bool crosses);

struct unexpected {
  struct unexpected *next;
  struct envelope envelope;
  uint64_t order; /* among all that this rank has kept, from all sources */
  struct arrival arrival;
  _Alignas(16) unsigned char payload[];
};

struct receiver {
  struct segment *segment; /* own */
  struct segment *senders;
  struct inbox *inbox;                  /* in the own segment */
  struct cell *ring;                    /* NULL before the first message */
  uint64_t cells, start, position;      /* as the sender's */
  struct receive *posted_tail[BUCKETS]; /* the youngest of each chain, NULL: none */
  struct unexpected *unexpected[BUCKETS], **unexpected_tail[BUCKETS];
  size_t unexpected_count;
  bool keeps_none; /* the ranks have met, and none is kept */
  uint64_t *kept;  /* unexpected messages that this rank has kept, ever, from all sources */
  bool mpi_only;
};

/* `kept`: one count for all receivers of a rank, 0 at first. */
void receiver_init(struct receiver *receiver, struct segment *own, struct segment *senders, unsigned senders_rank,
                   uint64_t *kept);
void receiver_destroy(struct receiver *receiver);

/* Posts a receive (all fields but next, state, bytes and rendezvous are set). If its message has come already and is
 * known, that is returned, and nothing is posted: the caller delivers the message and frees it. A receive outside the
 * segment works too, but no sender can match it. */
struct unexpected *receiver_post(struct receiver *receiver, struct receive *receive);

/* The same where no message of this sender is kept, with the receive's envelope. */
void receiver_link(struct receiver *receiver, struct receive *receive, struct envelope envelope);

/* Takes a receive that the sender has matched out of its chain: before the record is used again. */
void receiver_forget(struct receiver *receiver, struct receive *receive);

/* Takes back a receive that nothing has matched; false when it is matched. Matches what has come first: a sender may
 * have matched a later message to a later receive, and counted on this one for an earlier message. */
bool receiver_withdraw(struct receiver *receiver, struct receive *receive, arrive_function *arrive);

/* Whether something has come that is not matched yet: one load, no lock. */
bool receiver_has_something(const struct receiver *receiver);
/* Matches what has come: all of it, or what comes up to the message of one posted receive, and behind that what finds
 * its receive; the rest stays in the ring, as if nobody had looked. True when anything was matched. */
bool receiver_drain(struct receiver *receiver, const struct receive *wanted, arrive_function *arrive);

/* Posts a receive with this envelope, has it get the next message, and takes it back, all at once: if that message lies
 * in the window, has the same envelope and fits, and nothing else is posted that it could be for. Of this sender
 * nothing may be kept. False: nothing has happened. *bytes: what came. */
bool receiver_take_next(struct receiver *receiver, struct envelope envelope, void *buffer, uint64_t capacity,
                        uint64_t *bytes);

/* Matches a message that was announced through MPI, as the next cell: for a sender that has left. */
void receiver_announced(struct receiver *receiver, struct envelope envelope, uint64_t bytes, arrive_function *arrive);

/* The oldest unexpected message of this envelope, whose tag may be TAG_ANY, that is not before `order`; NULL: none. It
 * stays where it is. */
const struct unexpected *receiver_peek(const struct receiver *receiver, struct envelope envelope, uint64_t order);
/* Takes out what receiver_peek has found: the caller's, to be delivered and freed. */
struct unexpected *receiver_take(struct receiver *receiver, const struct unexpected *message);

/* ---- Rendezvous: who may touch the buffer. ---- */

/* What a receiver gets when it claims a message. */
enum claim {
  CLAIM_WINDOW,  /* the message lies in the sender's segment at `offset` (its buffer, or a staged copy), as far as
                    rendezvous_ready says; the rest follows without any help */
  CLAIM_PROCESS, /* it lies only at `address` of the sender's process */
  CLAIM_MPI,     /* MPI has it, see `position` */
  CLAIM_LATER    /* the sender is staging it, or is to: ask again */
};
/* Receiver: except for CLAIM_LATER the message is the caller's until rendezvous_finish. */
enum claim rendezvous_claim(struct rendezvous *rendezvous);
void rendezvous_finish(struct rendezvous *rendezvous);
/* Receiver, after CLAIM_WINDOW: bytes that may be read. */
static inline uint64_t rendezvous_ready(struct rendezvous *rendezvous) {
  return atomic_load_explicit(&rendezvous->staged, memory_order_acquire);
}
/* Receiver: it claimed a buffer that the kernel would not read. */
void rendezvous_refuse(struct rendezvous *rendezvous);
/* Sender: true when the buffer is its own again, to stage the message and call rendezvous_staged: with its offset in
 * the window, or with 0 and `address` set to a copy in private memory that the kernel can read. Or rendezvous_leave,
 * with the position of its cell, when MPI has it. */
bool rendezvous_take_back(struct rendezvous *rendezvous);
void rendezvous_leave(struct rendezvous *rendezvous, uint64_t position);
void rendezvous_staged(struct rendezvous *rendezvous, uint64_t offset);
/* Sender: the same before the message is there; rendezvous_put then tells, again and again, how much of it is. From one
 * to the last the sender must not wait for anything. */
void rendezvous_staging(struct rendezvous *rendezvous, uint64_t offset);
void rendezvous_put(struct rendezvous *rendezvous, uint64_t bytes);
static inline enum rendezvous_state rendezvous_look(struct rendezvous *rendezvous) {
  return (enum rendezvous_state)atomic_load_explicit(&rendezvous->state, memory_order_acquire);
}
static inline enum receive_state receive_look(struct receive *receive) {
  return (enum receive_state)atomic_load_explicit(&receive->state, memory_order_acquire);
}

/* ---- Waiting a moment. ---- */

static inline void cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#elif defined(__powerpc64__)
  __asm__ volatile("or 27,27,27" ::: "memory");
#endif
}

void inbox_lock(struct inbox *inbox);
void inbox_unlock(struct inbox *inbox);

#endif
