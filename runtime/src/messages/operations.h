/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A message that is under way, from its start to its status. Under the runtime's mutex, as all of this folder.
 */
#ifndef MPISHM_OPERATIONS_H
#define MPISHM_OPERATIONS_H

#include "communicators/routes.h"
#include "watch/watch.h"

#include <stddef.h>
#include <string.h>

/* A ready send may be done as a standard one (MPI 3.1, 3.4). */
enum send_mode { SEND_STANDARD, SEND_SYNCHRONOUS, SEND_BUFFERED };

struct operation;

/* What a persistent request starts where that is no message: a collective (nonblocking/). */
struct repeated {
  /* An inactive one is started. Never waits. */
  void (*start)(struct operation *op);
  /* The request goes, inactive, and with it its struct persistent. */
  void (*end)(struct operation *op);
};

/* What a persistent request starts again and again (MPI 3.1, 3.9). Holds its communicator and layout, and no handle of
 * the program's, which may free it before a start. */
struct persistent {
  const struct repeated *repeated; /* how, where that is no message; NULL: one */
  struct route route;              /* no message has the communicator alone */
  void *buffer;
  char *piece; /* where it lies in memory; NULL: no start of it is plain (requests/plain.h) */
  MPI_Count count;
  int peer, tag;
  uint32_t context; /* of its envelope */
  bool is_send, active;
  bool filled; /* its operation, and the record of its receive, are as its last start has left them, a plain one */
  enum send_mode mode;
  MPI_Request elsewhere; /* MPI's, for what other nodes send to a wildcard; else MPI_REQUEST_NULL */
  struct origin by;      /* the call that made it; only while watching, and if that was not rewritten */
};

/* What a request stands for where that is no message of the program's: both of an Isendrecv (requests/pairs.h), or a
 * collective (nonblocking/), which gets on by this. */
struct work {
  /* One try. True: it is done, and given back. Never waits. */
  bool (*advance)(struct operation *op);
  /* A member of the operation's communicator that it waits for. NULL: it waits for messages. */
  int (*awaits)(const struct operation *op);
};

/* One message of ours that is not finished. Belongs to the call or request that started it. What every message needs
 * comes first. */
struct operation {
  /* Most messages have none of these. Written and looked at together (operation_is_plain): a byte that has just been
   * written cannot be loaded with others before it is in the cache. */
  bool crosses;   /* receive: either that or its message is of rewritten code, the other is not */
  bool elsewhere; /* receive: MPI has matched it; status and error are MPI's own */
  bool cancelled;
  bool by_mpi;            /* goes through MPI after all, between ranks of this node */
  bool waiting;           /* receive: in its communicator's list, not posted */
  bool synchronous;       /* send: not done before it is matched */
  bool matched;           /* send: its receive was found, the receiver fetches */
  bool unused;            /* so that there are eight */
  bool done, unrewritten; /* the net has started it or, where it is persistent, made it */
  bool is_send;
  int error;      /* of the message, once it is done */
  enum path path; /* how the message went; right only while watching */
  int peer, tag;
  struct communicator *communicator;
  struct endpoint *endpoint;
  struct layout *layout; /* held as long as the message is not done, but by a receive only when it is scattered */
  void *buffer;
  char *piece;                   /* where the message lies in memory, NULL when it is scattered */
  uint64_t bytes;                /* of the message; of a receive only once it is done */
  struct receive *receive;       /* receive; stays with a pooled operation */
  struct rendezvous *fetch;      /* receive: matched, to be copied from the sender */
  size_t fetched;                /* bytes of it that are copied */
  MPI_Request handle;            /* MPI_REQUEST_NULL in blocking calls */
  struct persistent *persistent; /* NULL for a request of one message; inactive, its operation is done */
  struct operation *next;        /* free, orphaned or left behind */
  struct operation *matched_next;
  size_t count;   /* elements */
  enum call call; /* that started it, and from where; only while watching, and of a receive that was not rewritten */
  const void *site;

  uint64_t position; /* of the cell; of a receive only by_mpi */

  /* send */
  struct rendezvous *rendezvous;
  void *staged;    /* in the heap of the protocol or, where that is full, among the program's buffers */
  void *described; /* in that heap: how the message lies scattered in the window, until that is fetched or staged */
  unsigned polls;
  uint64_t stage_at; /* nanoseconds of the monotonic clock */
  enum way way;      /* that was chosen for it (channel/ways.h) */
  struct ways *told; /* what it costs; NULL: nobody, it is not timed */
  uint64_t spent;    /* nanoseconds that this side copied, or waited in vain; if timed */
  /* Among those that the kernel may refuse to copy: the next one, and what leads here; NULL: it is not among them. */
  struct operation *next_refusable, **refusable;

  /* waiting */
  struct operation *next_waiting; /* younger */
  bool cancelling;                /* MPI is to take back its receive */
  bool withdrawn;                 /* since the program has cancelled it */

  /* by_mpi, waiting, elsewhere */
  MPI_Request mpi;
  MPI_Status mpi_status;
  void *copy;              /* packed, what MPI sends or receives; NULL: the buffer itself */
  struct pair *pair;       /* both messages of an Isendrecv, while they are on their way; else NULL */
  const struct work *work; /* until it is done; NULL: a message */
};

_Static_assert(offsetof(struct operation, done) == sizeof(uint64_t), "what most messages have none of is one word");
/* Whether one that is done has nothing to give back but its communicator, and nothing to say. */
static inline bool operation_is_plain(const struct operation *op) {
  uint64_t incidents;
  memcpy(&incidents, op, sizeof incidents);
  return incidents == 0 && !op->layout;
}

/* One try to get on with an operation that is not done. True when it then is. Never waits. */
bool operation_try(struct operation *op);
static inline bool operation_poll(struct operation *op) { return op->done || operation_try(op); }
/* Tries until it is done. */
NOINLINE void operation_persist(struct operation *op);
/* Tries until both are. */
void operations_persist(struct operation *one, struct operation *other);
static inline void operation_wait(struct operation *op) {
  if (!op->done)
    operation_persist(op);
}
/* It was started; it is finished. */
COLD void operation_watch_posted(struct operation *op);
COLD void operation_watch_finished(const struct operation *op);

/* Either it or what it has met is of rewritten code, the other is not. */
COLD void operation_crossed(const struct operation *op);

/* Must precede the first use of an operation. */
static inline void operation_init(struct operation *op) {
  op->receive = NULL;
  op->persistent = NULL;
  op->pair = NULL;
  op->work = NULL;
  op->handle = MPI_REQUEST_NULL;
}
/* What is anew at each start, of a message of this communicator. `is_done`: it is a send that is complete. */
static inline void operation_reset(struct operation *op, struct communicator *communicator, bool is_unrewritten,
                                   bool is_done) {
  memset(op, 0, sizeof(uint64_t));
  op->is_send = op->done = is_done;
  op->unrewritten = is_unrewritten;
  op->error = MPI_SUCCESS;
  communicator->references++;
}
/* What starting any message has in common: `piece` is where it lies in memory, NULL: scattered. */
static inline void operation_fill(struct operation *op, struct communicator *communicator, struct endpoint *endpoint,
                                  int tag, bool is_unrewritten, void *buffer, char *piece, MPI_Count count, int peer) {
  operation_reset(op, communicator, is_unrewritten, false);
  op->peer = peer;
  op->tag = tag;
  op->communicator = communicator;
  op->endpoint = endpoint;
  op->buffer = buffer;
  op->count = (size_t)count;
  op->piece = piece;
  op->layout = NULL;
}
/* The same of a send or a receive by its route. */
static inline void operation_begin(struct operation *op, struct route route, struct envelope envelope, void *buffer,
                                   MPI_Count count, int peer) {
  char *start;
  bool is_piece = layout_piece(route.layout, (size_t)count, buffer, &start);
  if (UNLIKELY(!start))
    start = (char *)""; /* of nothing the buffer may be a null pointer */
  operation_fill(op, route.communicator, route.endpoint, envelope.tag, envelope.context & CONTEXT_UNREWRITTEN, buffer,
                 is_piece ? start : NULL, count, peer);
  if (!is_piece) {
    op->layout = route.layout;
    layout_retain(op->layout);
  }
  if (UNLIKELY(mpishm.watching))
    operation_watch_posted(op);
}
/* Gives back what a finished operation holds, but for its receive record: that goes with operation_destroy. */
void operation_destroy(struct operation *op);
static inline void operation_clear(struct operation *op) {
  if (UNLIKELY(op->crosses))
    operation_crossed(op);
  if (UNLIKELY(mpishm.watching))
    operation_watch_finished(op);
  if (op->layout)
    layout_release(op->layout);
  communicator_release(op->communicator);
}
/* Raises an operation's error as MPI does where it is found; returns it. (What a persistent request finds goes to its
 * communicator's own handler.) */
int operation_raise(const struct operation *op, enum error_in in);
/* Waits for an operation that no request stands for, and ends it; returns its error, raised. */
int operation_complete(struct operation *op, enum error_in in, MPI_Status *status);
/* Raises MPI_ERR_NO_MEM, and returns it. */
COLD int raise_no_memory(MPI_Comm comm);
/* Takes back a receive that nothing has matched. */
void operation_cancel(struct operation *op);

#endif
