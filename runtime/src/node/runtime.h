/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The state of the runtime in this process. Written at set-up and teardown, but for heap, slabs and endpoints, which
 * are under the mutex.
 */
#ifndef MPISHM_RUNTIME_H
#define MPISHM_RUNTIME_H

#include "channel/channel.h"
#include "channel/cycles.h"
#include "channel/ways.h"

#include <mpi.h>
#include <pthread.h>

/* Both directions between this rank and another one on its node (or itself). */
struct endpoint {
  struct segment *segment; /* the other rank's, as mapped here; NULL before the first contact */
  struct sender sender;
  struct receiver receiver;
  struct ways ways;     /* of messages to it that the kernel can copy */
  struct ways puts;     /* of those that are copied first, whoever can reach their buffers; two ways */
  struct cycles cycles; /* of those that lie in the window */
  int64_t pid;
};

struct runtime {
  bool attached;           /* MPISHM_Init or MPISHM_Attach was called; the same on all ranks */
  bool registers;          /* attached and not disabled: new communicators are registered; the same on all ranks */
  bool active;             /* this node has a window; the same on all ranks of the node */
  bool collectives_by_mpi; /* all of them; the same on all ranks */
  bool nodewise;     /* messages on communicators with members on several nodes are MPI's; the same on all ranks */
  bool threaded;     /* MPI_THREAD_MULTIPLE */
  bool any_threaded; /* any rank is; the same on all ranks */
  bool watching;     /* MPISHM_STATS or MPISHM_TIMEOUT is set; the same on all ranks */
  bool attended;     /* either of these: entry points take the long way */
  pthread_mutex_t mutex;

  MPI_Comm node;
  MPI_Group node_group;
  MPI_Win window;
  int node_rank, node_size;
  bool several_nodes; /* other ranks of MPI_COMM_WORLD are on others */
  /* More ranks on this node than cores for them; once there is a window, the same on all of them. */
  bool oversubscribed;
  bool kernel_copies; /* reach.h works between the ranks of this node */
  bool lock_all;      /* one epoch for all ranks of the node instead of one per neighbour */
  int tag_ub;
  int left_to_library; /* collectives per communicator and kind, see communicators/counted.h; the same on all ranks */
  int calls_before_trial; /* see members/trials.h; 0: there are none; the same on all ranks of the node */
  size_t eager_limit;     /* bytes: larger messages become a rendezvous */
  size_t stage_limit;     /* bytes: larger ones are left to the kernel, where it copies and the buffer is private */
  bool ways_measured;     /* up to there it is measured which way costs less; else they are staged */
  size_t direct_limit;    /* bytes: larger ones from a buffer in the window do, where their sender need not wait */
  size_t place_limit;     /* bytes: larger ones are packed where they are received, where the tool has asked for that */

  struct segment *segment, *first_segment; /* own, and that of the node's first rank */
  uint64_t unexpected;                     /* messages that no receive was posted for, ever */
  struct heap heap;                        /* of the protocol */
  struct slab rendezvous_slab, receive_slab;
  struct endpoint *endpoints; /* per rank of the node */
};
extern struct runtime mpishm;

/* The runtime's mutex, where there are threads. */
static inline void runtime_lock(void) {
  if (mpishm.threaded)
    pthread_mutex_lock(&mpishm.mutex);
}
static inline void runtime_unlock(void) {
  if (mpishm.threaded)
    pthread_mutex_unlock(&mpishm.mutex);
}

#endif
