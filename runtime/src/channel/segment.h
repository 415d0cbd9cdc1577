/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What lies in the node's window. Each rank owns one segment of it:
 *
 *   struct segment | struct inbox[ranks of the node] | heap (rings, rendezvous, receives, staged messages) | buffers of
 *   the program (MPISHM_Alloc_mem)
 *
 * Segments are mapped at different addresses in different ranks: everything shared is an offset from the start of the
 * segment that it lies in. Offset 0 is the header and serves as "none".
 *
 * How a message travels (the reasons are in docs/how-it-works.md):
 *
 *   Every ordered pair of ranks has a *ring*, in the sender's segment, and an *inbox*, in the receiver's segment. A
 * send puts one *cell* into the ring: a small message whole, a large one as a reference to a *rendezvous*. A receive
 * links a *posted receive* into the inbox. Cells are matched to posted receives in order, envelope by envelope, under
 * the inbox's lock: by the receiver as it consumes the ring, or by a sender that would otherwise have to wait. Only the
 * receiver puts receives into the chains and takes them out; a sender marks the one that it has matched.
 *
 * Every shared word says who writes it (w), who reads it (r), and which order pairs with which.
 */
#ifndef MPISHM_SEGMENT_H
#define MPISHM_SEGMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE = 64 };                /* bytes: a cache line */
enum { INLINE_BYTES = LINE - 16 }; /* largest message that fits a cell */
enum { SLIPS = 64 };
enum { BUCKETS = 16 }; /* hash chains of envelopes per pair of ranks; a power of two */
#define RING_NONE UINT64_MAX
#define SEGMENT_MAGIC UINT64_C(0x6d706973686d3031)

/* What a message is matched by, together with its two ranks. */
struct envelope {
  uint32_t context; /* the communicator's id, the same for all its members on the node, and CONTEXT_UNREWRITTEN */
  int32_t tag;      /* TAG_ANY, in what a receive or a probe asks for: whatever it is */
};
enum { TAG_ANY = -1 };
/* Ids are even. This bit says that the message, or the receive, is that of a call that was not rewritten, which the net
 * serves (net/): such meet all others, too, but that is worth a word. */
enum { CONTEXT_UNREWRITTEN = 1 };

/* Kinds of cells: the low byte of cell.word. */
enum cell_kind {
  CELL_NONE = 0,
  CELL_INLINE,     /* the message is in the cell */
  CELL_EAGER,      /* offset: the message, in the sender's segment, until the cell is consumed */
  CELL_RENDEZVOUS, /* offset: struct rendezvous in the sender's segment */
  CELL_MPI,        /* bytes: the message comes through MPI; which of those it is, the cell's position tells */
  CELL_SKIP,       /* nothing: its sender has delivered the message */
  CELL_JUMP,       /* offset, cells: the ring continues there */
  CELL_MPI_ONLY    /* the window is exhausted: what else this pair has to say comes through MPI */
};

/* One message in a ring. A ring is an array of cells, a power of two of them, written and consumed in order. */
struct cell {
  /* kind | (position + 1) << 8, as far as that fits, where position counts the cells of this pair of ranks: what stands
   * here from the round before, or from the memory's first zeroes, is never taken for new. w: sender, release, after
   * the rest of the cell. r: receiver, acquire. Rewritten by the sender (to CELL_SKIP) only under the inbox's lock. */
  _Alignas(LINE) _Atomic uint32_t word;
  uint32_t bytes; /* of the message, inline and eager */
  struct envelope envelope;
  union {
    unsigned char payload[INLINE_BYTES];
    struct {
      uint64_t offset; /* message, rendezvous or next ring, in the sender's segment */
      uint64_t cells;  /* of the next ring */
      uint64_t bytes;  /* of a message through MPI */
    } ref;
  } u;
};
_Static_assert(sizeof(struct cell) == LINE, "a cell is one cache line");
static inline uint32_t cell_word(enum cell_kind kind, uint64_t position) {
  return (uint32_t)kind | (uint32_t)((position + 1) << 8);
}

/* States of a rendezvous. The sender starts at POSTED or STAGED.
 *   POSTED  -> CLAIMED  receiver: it copies from the sender's buffer   (compare-and-swap against the next)
 *   POSTED  -> STAGING  sender: it takes its buffer back               (compare-and-swap against the former)
 *   STAGING -> STAGED   sender: the message is in the window, or being put there (`staged`), or in a copy that its
 *                       program does not know
 *   STAGING -> BY_MPI   sender: there was no memory for that, MPI has a copy (`position` says which message it is)
 *   CLAIMED -> REFUSED  receiver: the kernel would not copy from there, the sender must stage the message
 *   REFUSED -> STAGED, BY_MPI  sender
 *   STAGED, CLAIMED -> DONE  receiver: it has the message; the sender may reuse everything
 *   BY_MPI  -> DONE     receiver: it asks MPI for the message */
enum rendezvous_state {
  RENDEZVOUS_POSTED,
  RENDEZVOUS_CLAIMED,
  RENDEZVOUS_STAGING,
  RENDEZVOUS_STAGED,
  RENDEZVOUS_REFUSED,
  RENDEZVOUS_BY_MPI,
  RENDEZVOUS_DONE
};

/* A large message, in the sender's segment. */
struct rendezvous {
  /* w, r: both. Every change is acq_rel or release, every look that acts on it acquire, so that the message is visible
   * to whom it is handed and the buffer is free for whom it is handed back to. */
  _Alignas(LINE) _Atomic uint32_t state;
  /* Whether the sender wants to know how long the receiver copies. w: sender, before the cell is published. */
  bool timed;
  /* POSTED: at `offset` stands how the message lies scattered in the sender's segment, and not the message. w: sender,
   * before the cell is published, or while nobody has claimed it and it stages the message (STAGING). r: receiver that
   * has claimed, and so has acquired. */
  bool described;
  /* w: sender, before the cell is published (POSTED) or before the release to STAGED. */
  uint64_t bytes;
  uint64_t address; /* of the buffer in the sender's address space */
  uint64_t offset;  /* of the buffer, or of the staged copy, in the sender's segment; 0: not in the window */
  /* Bytes of the message that lie at `offset`; all of them, but for a copy that the sender is making right now, which
   * the receiver follows. w: sender, release. r: receiver that has claimed, acquire. */
  _Atomic uint64_t staged;
  uint64_t position; /* BY_MPI: of the message's cell. w: sender, before the release to that state */
  /* If `timed`: nanoseconds for which the receiver's copying has held up anybody (ways.h). w: sender, 0, before the
   * cell is published; receiver that has claimed, before the release to DONE. r: sender, after it has seen that. */
  uint64_t spent;
};
_Static_assert(sizeof(struct rendezvous) == LINE, "a rendezvous is one cache line");

/* States of a posted receive.
 *   POSTED -> DONE      whoever matched it has filled the buffer
 *   POSTED -> PUSHING -> DONE   the sender matched it and copies, or packs there what it is going to send
 *   PUSHING -> POSTED   it is not going to, after all
 *   POSTED -> MATCHED   the sender matched it and left a rendezvous to fetch */
enum receive_state { RECEIVE_POSTED, RECEIVE_PUSHING, RECEIVE_MATCHED, RECEIVE_DONE };

/* A posted receive, in the receiver's segment. */
struct receive {
  /* Offset of the next one of the same bucket, 0: none yet. w: receiver; release when it posts that one, so that
   * whoever comes along the chain finds it filled in; under the inbox's lock when it takes one out. r: sender, acquire,
   * under the lock, so that nothing is taken out meanwhile. */
  _Alignas(LINE) _Atomic uint64_t next;
  /* w: receiver, before it posts. Its tag may be TAG_ANY, on the board. */
  struct envelope envelope;
  uint64_t capacity; /* bytes */
  uint64_t address;  /* of the buffer in the receiver's address space; 0: scattered, only the receiver can fill it */
  uint64_t offset;   /* of the buffer in the receiver's segment; 0: not in the window */
  void *owner;       /* the receiver's own record of the operation; means nothing to others */
  /* w: receiver before it posts; the sender that matches it (to PUSHING under the lock, then release to DONE or
   * MATCHED). r: receiver, acquire; both under the lock, relaxed, to see whether it is still to be matched. */
  _Alignas(LINE) _Atomic uint32_t state;
  uint32_t path;       /* DONE: how the message came, for statistics (enum path) */
  uint64_t bytes;      /* of the message */
  uint64_t rendezvous; /* MATCHED: offset in the sender's segment */
  bool crosses;        /* see envelopes_cross */
  /* On the board (board.h), where it stands in no inbox. All under its lock, w: owner; senders that claim `claimer` and
   * `position`, and `got` while they hold the lock. r: both. */
  bool got;        /* by a message that was looked at before */
  int32_t source;  /* a rank of the node, -1: any */
  int32_t claimer; /* the rank of the node whose message it is going to get, -1: open */
  /* 1: cancelled while a sender packs there. A hint: the sender should not keep it. w: receiver; r: that sender; both
   * relaxed. */
  _Atomic uint32_t recalled;
  uint64_t position;     /* of that message, claimed by its sender, or promised since it was seen */
  uint64_t older, newer; /* offsets of its neighbours, 0: none */
};
_Static_assert(sizeof(struct receive) == (size_t)2 * LINE, "a posted receive is two cache lines");

/* Where one rank's messages to another are met; in the receiver's segment. */
struct inbox {
  /* 1 while held. Guards matching: which posted receives are taken, and the meaning of `consumed` for that. Posting
   * needs no lock. w, r: receiver as a rule, the sender when it matches by itself. Taken with acquire, given back with
   * release.
   */
  _Alignas(LINE) _Atomic uint32_t lock;
  /* Offset of the oldest receive of each hash chain, 0: none. w, r: as receive.next. */
  _Atomic uint64_t posted[BUCKETS];
  /* Cells, and announcements after the last of them, that the receiver is through with, ever. w: receiver, release,
   * inside the lock. r: sender, acquire: the cells before it, and the eager messages that they refer to, may be written
   * again. */
  _Alignas(LINE) _Atomic uint64_t consumed;
  /* Offset of the first ring in the sender's segment, 0 before the first message. w: sender, release; r: receiver,
   * acquire. RING_NONE: the sender has no memory for one, and announces all its messages through MPI. */
  _Alignas(LINE) _Atomic uint64_t ring;
  uint64_t ring_cells;
};

/* A rank's board (board.h). */
struct board {
  /* 1 while held. Guards all the rest, and more: board.h. w, r: the owner, and senders that wait. Taken with acquire,
   * given back with release. */
  _Alignas(LINE) _Atomic uint32_t lock;
  bool hidden; /* the rank has receives that no sender can see: nobody may claim, or look at what stands here */
  /* Offsets of the first and the last one in the order of posting, 0: none. w: owner; r: senders that wait. */
  uint64_t oldest, newest;
  uint64_t voided; /* claims, ever, that came to nothing. w: owner; r: senders that wait */
};

/* What a rank has waited for so long, in a collective, that others may want to know (long_waits.h). */
struct long_wait {
  /* In which call on which communicator, and for whom. w: owner, release, before the next. r: others, acquire. */
  _Alignas(LINE) _Atomic uint64_t what;
  /* Which of its long waits that is, and when it has last looked in vain. w: owner, release. r: others, acquire. */
  _Atomic uint64_t when;
};

/* Head of a segment. w: owner, before the collective end of set-up; constant afterwards but for the atomic words. */
struct segment {
  _Alignas(LINE) uint64_t magic;
  uint64_t bytes; /* of the whole segment */
  uint64_t heap;  /* offset of the heap */
  int64_t pid;    /* of the owner, for copies by the kernel */
  /* How many of the owner's receives no sender can match, because they wait for any source or tag, or behind such a
   * one, or lie outside the segment. A hint. w: owner, relaxed; r: senders that wait, relaxed. */
  _Atomic uint32_t unmatchable;
  /* 1: the kernel has refused the owner to copy, though set-up had found that it does. A hint. w: owner, relaxed; r:
   * all, relaxed. */
  _Atomic uint32_t refused;
  /* In the first rank's segment: bits of the warnings that were printed on this node. w, r: all, relaxed. */
  _Atomic uint32_t warned;
  /* In the first rank's segment: how many ids of communicators this node has given out. w, r: all, relaxed: no two get
   * one, and that is all. */
  _Atomic uint64_t contexts;
  /* In the first rank's segment: marks of the calls of which this node was told that the net had to serve them
   * (slips.c); 0: free. w, r: all, relaxed. */
  _Atomic uint32_t slips[SLIPS];
  struct board board;         /* of the owner */
  struct long_wait long_wait; /* the same */
};

/* In integers, since a receive in private memory has an "offset" too: one that means something to its owner alone. */
static inline void *at_offset(struct segment *segment, uint64_t offset) {
  return (void *)((uintptr_t)segment + (uintptr_t)offset);
}
static inline uint64_t offset_of(const struct segment *segment, const void *pointer) {
  return (uint64_t)((uintptr_t)pointer - (uintptr_t)segment);
}
/* Offset of [pointer, pointer + bytes) when it lies in the segment, else 0. */
static inline uint64_t offset_inside(const struct segment *segment, const void *pointer, size_t bytes) {
  uintptr_t start = (uintptr_t)segment, p = (uintptr_t)pointer;
  return p > start && p - start < segment->bytes && bytes <= segment->bytes - (p - start) ? p - start : 0;
}
/* An id that no communicator of this node has, and none has had; 0 when there are no more. Those up to OWN_CONTEXTS are
 * of messages of the runtime's own, the next two are others', and so are those from FIRST_CHILD_CONTEXT on
 * (communicators/). */
enum { OWN_CONTEXTS = 1024, FIRST_CONTEXT = OWN_CONTEXTS + 4 };
#define FIRST_CHILD_CONTEXT 0xe0000000u
static inline uint32_t segment_new_context(struct segment *first) {
  uint64_t context = FIRST_CONTEXT + 2 * atomic_fetch_add_explicit(&first->contexts, 1, memory_order_relaxed);
  return context < FIRST_CHILD_CONTEXT ? (uint32_t)context : 0;
}
static inline struct inbox *inboxes(struct segment *segment) { return (struct inbox *)(segment + 1); }
static inline unsigned bucket_of(struct envelope e) {
  return (((e.context | CONTEXT_UNREWRITTEN) * 0x9e3779b1u) ^ ((uint32_t)e.tag * 0x85ebca6bu)) >> 28 & (BUCKETS - 1);
}
/* As one number, in which the context comes last: what is loaded and compared at once. */
static inline uint64_t envelope_bits(struct envelope e) { return (uint64_t)(uint32_t)e.tag << 32 | e.context; }
static inline bool same_envelope(struct envelope a, struct envelope b) {
  return (envelope_bits(a) ^ envelope_bits(b)) <= CONTEXT_UNREWRITTEN;
}
/* Whether one is of rewritten code and the other is not. */
static inline bool envelopes_cross(struct envelope a, struct envelope b) {
  return (a.context ^ b.context) & CONTEXT_UNREWRITTEN;
}

#endif
