/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The state of the runtime in this process, and what its files offer each other. Which file holds what:
 *   setup.c           attach, teardown, environment, warnings
 *   window.c          the node's window, its segments, who can reach whom
 *   communicators.c   registration, routes
 *   waiting.c         how to wait, MPI progress
 *   memory.c          the program's heap in the window
 *   watch.c           looking inside: statistics*.c, timeout.c, places.c
 *   operations.h      messages under way, and the files that move them
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
