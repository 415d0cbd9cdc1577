/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The state of the runtime in this process, and what its files offer each other. Which file holds what:
 *   setup.c           attach, teardown, environment, warnings
 *   window.c          the node's window, its segments, who can reach whom
 *   communicators.c   registration, routes
 *   operations.c      one message: polling and finishing it, the receive side
 *   wildcards.c       receives from any source or with any tag, and what must not overtake them
 *   sending.c         the send side
 *   through_mpi.c     what goes through MPI after all
 *   requests.c        handles for operations
 *   waiting.c         how to wait, MPI progress
 *   memory.c          the program's heap in the window
 *   watch.c           looking inside: statistics*.c, timeout.c, places.c
 *   pt2pt.c, persistent.c, completion.c, completion_some.c, probe.c, makers.c   entry points
 */
#ifndef MPISHM_RUNTIME_H
#define MPISHM_RUNTIME_H

#include "channel.h"
#include "handles.h"
#include "layout.h"
#include "watch.h"

#include <mpi.h>
#include <pthread.h>

/* Both directions between this rank and another one on its node (or itself). */
struct endpoint {
  struct segment *segment; /* the other rank's, as mapped here; NULL before the first contact */
  struct sender sender;
  struct receiver receiver;
  int64_t pid;
};

/* A registered communicator. Lives until MPI frees it and its last operation is finished. */
struct communicator {
  MPI_Comm handle; /* MPI_COMM_NULL once freed */
  uint32_t context;
  int rank, size;
  int *node_rank; /* per rank: rank on this node, or -1 */
  int *local;     /* the ranks on this node */
  int local_count;
  int references;
  /* Wildcards that nothing has matched yet, and other receives that must not overtake them; in the order of posting. */
  struct operation *waiting, **waiting_tail;
  bool mpi_first; /* the next wildcard looks first for what comes from other nodes */
};

struct runtime {
  bool attached;  /* MPISHM_Init or MPISHM_Attach was called; the same on all ranks */
  bool registers; /* attached and not disabled: new communicators are registered; the same on all ranks */
  bool active;    /* this node has a window; the same on all ranks of the node */
  bool threaded;  /* MPI_THREAD_MULTIPLE */
  bool watching;  /* MPISHM_STATS or MPISHM_TIMEOUT is set; the same on all ranks */
  bool attended;  /* either of these: entry points take the long way */
  pthread_mutex_t mutex;

  MPI_Comm node;
  MPI_Group node_group, world_group;
  MPI_Win window;
  int node_rank, node_size;
  bool oversubscribed; /* more ranks on this node than cores for them */
  bool kernel_copies;  /* reach.h works between the ranks of this node */
  bool lock_all;       /* one epoch for all ranks of the node instead of one per neighbour */
  int tag_ub;
  size_t eager_limit;  /* bytes: larger messages become a rendezvous */
  size_t stage_limit;  /* bytes: larger ones are left to the kernel, where it copies and the buffer is private */
  size_t direct_limit; /* bytes: larger ones from a buffer in the window do, where their sender need not wait */

  struct segment *segment, *first_segment; /* own, and that of the node's first rank */
  uint64_t unexpected;                     /* messages that no receive was posted for, ever */
  struct heap heap;                        /* of the protocol */
  struct slab rendezvous_slab, receive_slab;
  struct endpoint *endpoints; /* per rank of the node */
};
extern struct runtime mpishm;

/* ---- setup.c ---- */

/* Prints "mpishm: warning: <text>", once per kind: from one rank of a node where there is a window, else from the first
 * rank of MPI_COMM_WORLD. */
enum warning { WARN_NOT_ATTACHED, WARN_ATTACHED_TWICE, WARN_NO_WINDOW, WARN_WINDOW_FULL, WARN_COUNT };
void warn_once(enum warning which, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The value of an environment variable as bytes ("64M"), or `otherwise`. */
size_t environment_bytes(const char *name, size_t otherwise);
bool environment_flag(const char *name, bool otherwise);

/* ---- window.c ---- */

/* Collective over the node. False, with the reason, when this node gets no window. */
bool window_create(const char **reason);
void window_destroy(void);
/* First contact with a rank of the node. */
COLD void endpoint_open(struct endpoint *endpoint, int node_rank);

/* ---- memory.c ---- */

/* Where the program's buffers in the window lie in this process: their pages are mapped once more, at an address that
 * stays theirs when MPI takes the window away. Written once; `bytes` last and with release, since any thread may free.
 */
struct buffer_range {
  char *start;
  _Atomic size_t bytes; /* 0: there are none */
  uint64_t offset;      /* of the same bytes in the segment */
};
extern struct buffer_range buffer_range;
/* Opens the program's heap in `bytes` bytes at `offset` of the own segment, once. Where that cannot be the program's
 * buffers stay private. */
void memory_open(uint64_t offset, size_t bytes);
/* From now on memory comes from the C library. What was allocated stays as it is until the process ends. */
void memory_close(void);

/* Offset of [pointer, pointer + bytes) in the own segment when it lies among the program's buffers there, else 0. */
static inline uint64_t buffer_offset(const void *pointer, size_t bytes) {
  size_t room = atomic_load_explicit(&buffer_range.bytes, memory_order_acquire);
  uintptr_t at = (uintptr_t)pointer - (uintptr_t)buffer_range.start;
  return at < room && bytes <= room - at ? buffer_range.offset + at : 0;
}

/* ---- communicators.c ---- */

bool communicators_init(void);
void communicators_destroy(void);
/* Collective over `comm`. Does nothing for MPI_COMM_NULL, intercommunicators and before attach. */
void communicator_register(MPI_Comm comm);
COLD void communicator_free(struct communicator *communicator);
static inline void communicator_release(struct communicator *communicator) {
  if (--communicator->references == 0)
    communicator_free(communicator);
}

/* The communicator that was asked for last: most programs use one at a time. */
struct communicator_memo {
  MPI_Comm handle;
  struct communicator *communicator; /* NULL: none */
};
extern struct communicator_memo last_communicator;
COLD struct communicator *communicator_look_up(MPI_Comm comm);
/* The record of a registered communicator, else NULL; NULL too where the node has no window. */
static inline struct communicator *communicator_find(MPI_Comm comm) {
  return last_communicator.communicator && comm == last_communicator.handle ? last_communicator.communicator
                                                                            : communicator_look_up(comm);
}

/* Which way a message goes. */
enum route_kind {
  ROUTE_NODE,   /* through the window */
  ROUTE_MPI,    /* through MPI: another node, MPI_PROC_NULL, an unregistered communicator */
  ROUTE_INVALID /* arguments that MPI is to refuse */
};
struct route {
  struct communicator *communicator;
  struct endpoint *endpoint; /* NULL: a wildcard */
  struct layout *layout;
  size_t bytes; /* count * size of the datatype */
};
/* All that is not an exact message with a rank of a registered communicator: a wildcard, which is ROUTE_NODE with its
 * layout, or something that is not for the window. (By value: a struct route whose address is taken lies in memory.) */
struct special_route {
  enum route_kind kind;
  struct layout *layout;
};
COLD struct special_route route_special(const struct communicator *communicator, MPI_Count count, MPI_Datatype datatype,
                                        int peer, int tag, bool receive);
/* Why it is ROUTE_MPI; PATH_NONE for MPI_PROC_NULL. */
COLD enum path route_reason(int peer, MPI_Comm comm);

static inline enum route_kind route_find(struct route *route, const void *buffer, MPI_Count count,
                                         MPI_Datatype datatype, int peer, int tag, MPI_Comm comm, bool receive) {
  struct communicator *communicator = communicator_find(comm);
  *route = (struct route){NULL, NULL, NULL, 0};
  /* As unsigned numbers, negative ones are large. */
  if (UNLIKELY(!communicator || (unsigned)peer >= (unsigned)communicator->size ||
               (unsigned)tag > (unsigned)mpishm.tag_ub || count < 0)) {
    struct special_route special = route_special(communicator, count, datatype, peer, tag, receive);
    if (special.kind != ROUTE_NODE)
      return special.kind;
    *route = (struct route){communicator, NULL, special.layout, (size_t)count * special.layout->size};
    return !buffer && !layout_takes_null(special.layout) && route->bytes ? ROUTE_INVALID : ROUTE_NODE;
  }
  int node_rank = communicator->node_rank[peer];
  if (UNLIKELY(node_rank < 0))
    return ROUTE_MPI;
  struct layout *layout = layout_find(datatype);
  if (UNLIKELY(!layout))
    return ROUTE_INVALID;
  struct endpoint *endpoint = &mpishm.endpoints[node_rank];
  ASSUME(endpoint);
  *route = (struct route){communicator, endpoint, layout, (size_t)count * layout->size};
  if (UNLIKELY(!buffer) && !layout_takes_null(layout) && route->bytes)
    return ROUTE_INVALID;
  if (UNLIKELY(!route->endpoint->segment))
    endpoint_open(route->endpoint, node_rank);
  return ROUTE_NODE;
}

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

/* ---- waiting.c ---- */

struct waiter {
  unsigned rounds;
};
/* Between two polls: relaxes the core, yields where ranks outnumber cores, and now and then drives MPI. */
void waiter_pause(struct waiter *waiter);
/* After a test that found nothing: the same for programs that wait by testing. */
void tested_in_vain(void);
/* The runtime's mutex, where there are threads. */
static inline void runtime_lock(void) {
  if (mpishm.threaded)
    pthread_mutex_lock(&mpishm.mutex);
}
static inline void runtime_unlock(void) {
  if (mpishm.threaded)
    pthread_mutex_unlock(&mpishm.mutex);
}

/* Entry points run between runtime_enter and runtime_leave, with the mutex. That costs a branch each where there are
 * neither threads nor anybody watching. Only in functions of mpishm.h themselves, whose return address is the program's
 * call. Completion calls and starts name their requests. */
#define runtime_enter_with(call, count, requests)                                                                      \
  do {                                                                                                                 \
    if (UNLIKELY(mpishm.attended))                                                                                     \
      attended_enter(call, __builtin_return_address(0), count, requests);                                              \
  } while (0)
#define runtime_enter(call) runtime_enter_with(call, 0, NULL)
static inline void runtime_leave(void) {
  if (UNLIKELY(mpishm.attended))
    attended_leave();
}

/* Around MPI's own function where that does the rest of a call, instead of runtime_leave:
 *   runtime_unlock(); return runtime_return(MPI_Wait(...)); */
static inline int runtime_return(int error) {
  if (UNLIKELY(mpishm.attended)) {
    runtime_lock();
    attended_leave();
  }
  return error;
}
/* In place of runtime_unlock before a function of MPI's that waits for all or any of these requests. */
static inline void runtime_unlock_to_wait(int count, const MPI_Request requests[], bool all) {
  runtime_unlock();
  if (UNLIKELY(mpishm.watching))
    watch_mpi_wait(count, requests, all);
}
/* As runtime_return, for a call that makes a request of MPI's. */
static inline int runtime_return_request(int error, const MPI_Request *request) {
  if (UNLIKELY(mpishm.watching) && error == MPI_SUCCESS)
    watch_mpi_request(*request);
  return runtime_return(error);
}

#endif
