/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages that are under way, and their requests. Which file holds what:
 *   operations.c    one message: polling and finishing it, the receive side
 *   sending.c       the send side
 *   wildcards.c     receives from any source or with any tag, and what must not overtake them
 *   through_mpi.c   what goes through MPI after all
 *   requests.c      handles for operations
 */
#ifndef MPISHM_OPERATIONS_H
#define MPISHM_OPERATIONS_H

#include "runtime.h"

/* ---- operations.c ---- */

/* A ready send may be done as a standard one (MPI 3.1, 3.4). */
enum send_mode { SEND_STANDARD, SEND_SYNCHRONOUS, SEND_BUFFERED };

/* What a persistent request starts again and again (MPI 3.1, 3.9). Holds its communicator and layout. */
struct persistent {
  struct route route;
  void *buffer;
  MPI_Count count;
  int peer, tag;
  MPI_Datatype datatype;
  bool is_send, active;
  enum send_mode mode;
  enum call call; /* that made it, and from where; only while watching */
  const void *site;
};

/* One message of ours that is not finished. Belongs to the call or request that started it. What every message needs
 * comes first. */
struct operation {
  bool is_send, done, cancelled;
  bool by_mpi;      /* goes through MPI after all, between ranks of this node */
  bool synchronous; /* send: not done before it is matched */
  bool matched;     /* send: its receive was found, the receiver fetches */
  bool waiting;     /* receive: in its communicator's list, not posted */
  bool elsewhere;   /* receive: MPI has matched it; status and error are MPI's own */
  int error;        /* of the message, once it is done */
  enum path path;   /* how the message went; right only while watching */
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
  struct persistent *persistent; /* NULL for a request of one message */
  struct operation *next;        /* free, orphaned or left behind */
  struct operation *matched_next;
  size_t count; /* elements */
  MPI_Datatype datatype;
  enum call call; /* that started it, and from where; only while watching */
  const void *site;

  uint64_t position; /* of the cell; of a receive only by_mpi */

  /* send */
  struct rendezvous *rendezvous;
  void *staged;
  unsigned polls;
  uint64_t stage_at; /* nanoseconds of the monotonic clock */

  /* waiting */
  struct operation *next_waiting; /* younger */
  bool cancelling;                /* MPI is to take back its receive */
  bool withdrawn;                 /* since the program has cancelled it */

  /* by_mpi, waiting, elsewhere */
  MPI_Request mpi;
  MPI_Status mpi_status;
  void *copy;        /* packed, what MPI sends or receives; NULL: the buffer itself */
  struct pair *pair; /* both messages of an Isendrecv, while they are on their way; else NULL */
};

/* A send of at most `limit` bytes that finds room and need not wait for its receive: done at once. False: nothing has
 * happened. */
bool send_eager(struct route route, const void *buffer, MPI_Count count, int tag, enum send_mode mode, size_t limit);
/* The limit for a send whose request is completed later: what can be copied once is not copied twice. */
static inline size_t nonblocking_limit(const void *buffer, size_t bytes) {
  return bytes > mpishm.direct_limit && buffer_offset(buffer, bytes) ? 0 : mpishm.eager_limit;
}
/* Copies a message out of the program's buffer, packed. */
void gather(const struct layout *layout, const void *buffer, size_t count, void *to, size_t bytes);
/* Any other send. */
NOINLINE void send_start(struct operation *op, struct route route, const void *buffer, MPI_Count count,
                         MPI_Datatype datatype, int dest, int tag, enum send_mode mode);
void receive_start(struct operation *op, struct route route, void *buffer, MPI_Count count, MPI_Datatype datatype,
                   int source, int tag);
/* Matches what another rank has announced through MPI (through_mpi.c). */
COLD void announcements_receive(struct endpoint *endpoint);
/* Matches what has come from there to posted receives. What more than a copy of a cell is needed for is left to
 * receives_finish_matched, which must follow. */
static inline void endpoint_drain(struct endpoint *endpoint) {
  receiver_drain(&endpoint->receiver);
  if (UNLIKELY(endpoint->receiver.mpi_only))
    announcements_receive(endpoint);
}
COLD void receives_finish_matched(void);
/* One try to get on with an operation that is not done. True when it then is. Never waits. send_poll and mpi_poll are
 * its parts. */
bool operation_try(struct operation *op);
bool send_poll(struct operation *op);
/* A synchronous send that goes through MPI, whose receive is posted: done, though MPI does not know before the receiver
 * looks for messages, which it may do only after this send. */
bool send_is_met(struct operation *op);
bool mpi_poll(struct operation *op);
static inline bool operation_poll(struct operation *op) { return op->done || operation_try(op); }
/* Tries until it is done. */
NOINLINE void operation_persist(struct operation *op);
static inline void operation_wait(struct operation *op) {
  if (!op->done)
    operation_persist(op);
}

/* The status of a finished operation, and an empty one (MPI 3.1, 3.7.3): all but MPI_ERROR, unless it is ignored. */
NOINLINE void status_fill(const struct operation *op, MPI_Status *status);
NOINLINE void status_fill_message(MPI_Status *status, int source, int tag, uint64_t bytes);
NOINLINE void status_fill_empty(MPI_Status *status);
static inline void operation_status(const struct operation *op, MPI_Status *status) {
  if (status != MPI_STATUS_IGNORE)
    status_fill(op, status);
}
static inline void status_empty(MPI_Status *status) {
  if (status != MPI_STATUS_IGNORE)
    status_fill_empty(status);
}

/* Must precede the first use of an operation. */
static inline void operation_init(struct operation *op) {
  op->receive = NULL;
  op->persistent = NULL;
  op->pair = NULL;
  op->handle = MPI_REQUEST_NULL;
}
/* What starting a send and a receive have in common. */
static inline void operation_begin(struct operation *op, struct route route, void *buffer, MPI_Count count,
                                   MPI_Datatype datatype, int peer, int tag) {
  char *start;
  op->is_send = op->done = op->cancelled = op->by_mpi = op->synchronous = op->matched = op->waiting = op->elsewhere =
      false;
  op->error = MPI_SUCCESS;
  op->peer = peer;
  op->tag = tag;
  op->communicator = route.communicator;
  op->communicator->references++;
  op->endpoint = route.endpoint;
  op->buffer = buffer;
  op->count = (size_t)count;
  op->datatype = datatype;
  if (layout_piece(route.layout, (size_t)count, buffer, &start)) {
    op->piece = start;
    op->layout = NULL;
  } else {
    op->piece = NULL;
    op->layout = route.layout;
    layout_retain(op->layout);
  }
  if (UNLIKELY(mpishm.watching))
    watch_posted(op);
}
/* Gives back what a finished operation holds, but for its receive record: that goes with operation_destroy. */
void operation_destroy(struct operation *op);
static inline void operation_clear(struct operation *op) {
  if (UNLIKELY(mpishm.watching))
    watch_finished(op);
  if (op->layout)
    layout_release(op->layout);
  communicator_release(op->communicator);
}
/* Calls the communicator's error handler, as MPI does for a failed completion; returns the operation's error. */
int operation_raise(const struct operation *op);
/* Waits for an operation that no request stands for, and ends it; returns its error, raised. */
int operation_complete(struct operation *op, MPI_Status *status);
/* Raises MPI_ERR_NO_MEM, and returns it. */
COLD int raise_no_memory(MPI_Comm comm);
/* Takes back a receive that nothing has matched. */
void operation_cancel(struct operation *op);
/* A send of MPI's from memory of ours goes on by itself; the memory is freed when it is done. False: no memory. */
bool left_sends_add(void *copy, MPI_Request request);
/* Asks MPI about all of them. True when some go on. */
bool left_sends_poll(void);
/* To be called whenever a message starts that does not fit into a cell: asks now and then. */
void left_sends_reclaim(void);
/* Forgets them. */
void left_sends_discard(void);
/* Gives back what finished staged messages hold; looks at so many at most. */
void reclaim_staged(size_t most);
/* Waits until everything that this rank has still to send is out of its hands. */
void sends_drain(void);
/* Frees what messages hold that nobody fetched, once nobody can any more. */
void sends_discard(void);

/* ---- wildcards.c ---- */

/* Takes over a receive that is ready to be posted, if it is a wildcard or must not overtake one. */
COLD bool wildcards_hold(struct operation *op);
/* One try to match what waits on a communicator, in order. */
COLD void wildcards_advance(struct communicator *communicator);
/* Takes a waiting receive back, unless there is a message for it. */
COLD void wildcards_cancel(struct operation *op);
/* The oldest message that has come from a rank of this node, that matches, and that no receive is to get; NULL: none.
 * *source: the rank that it is from. */
COLD const struct unexpected *wildcards_peek(struct communicator *communicator, int peer, int tag, int *source);

/* ---- through_mpi.c ---- */

/* The message of a send goes through MPI, to a rank of this node: from op->copy, or from its buffer. Sets op->mpi and
 * op->error. */
void payload_send(struct operation *op);
/* A receive has met the announcement of such a message: op->position and op->bytes say which. */
void payload_receive(struct operation *op);
/* Tells a rank of this node what a cell would, where the window is exhausted. */
void announcement_send(struct endpoint *endpoint, struct envelope envelope, uint64_t bytes);

/* MPI_Isend or MPI_Issend, and MPI_Irecv, of any count. */
int isend_through_mpi(const void *buffer, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      bool synchronous, MPI_Request *request);
int irecv_through_mpi(void *buffer, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                      MPI_Request *request);

/* ---- sendrecv.c ---- */

/* A try to get on with both messages of an Isendrecv. */
bool pair_poll(struct operation *op);

/* ---- requests.c ---- */

bool requests_init(void);
void requests_destroy(void);
struct request_pool {
  struct handle_table table; /* handles in use and free ones */
  struct operation *free;
  struct operation *orphans; /* freed by the program while active */
};
extern struct request_pool request_pool;
COLD struct operation *request_make(void);
/* A new operation with a handle, or NULL when there is no memory. */
static inline struct operation *request_new(void) {
  struct operation *op = request_pool.free;
  if (!op || request_pool.orphans)
    return request_make();
  request_pool.free = op->next;
  return op;
}
/* Gives back an operation that was never started. */
void request_discard(struct operation *op);
/* Gives an operation and its handle back. */
void request_recycle(struct operation *op);
/* After completion: a persistent request becomes inactive and stays, any other one is recycled and set to null. */
static inline void request_retire(struct operation *op, MPI_Request *request) {
  operation_clear(op);
  if (op->persistent) {
    op->persistent->active = false;
    return;
  }
  op->next = request_pool.free;
  request_pool.free = op;
  *request = MPI_REQUEST_NULL;
}
/* The operation of a handle; NULL when it is not ours. */
static inline struct operation *request_find(MPI_Request request) {
  return handle_find(&request_pool.table, HANDLE_KEY(request));
}
/* The handle of every send that was complete when it was started. */
extern MPI_Request sent_request;
/* Marks a request as freed: it goes on without anybody waiting for it. */
void request_orphan(struct operation *op);
/* True when sends are among those that are left. */
bool orphans_poll(void);

#endif
