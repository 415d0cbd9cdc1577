/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Looking inside: what MPISHM_STATS and MPISHM_TIMEOUT learn of each call and each message. Neither is on as a rule:
 * then `mpishm.attended` and `mpishm.watching` (node/runtime.h) are false, and each of the hooks below is a branch not
 * taken.
 *
 * A *site* is the return address of a call of an entry point. A persistent request's messages belong to the site that
 * made the request, the calls of MPISHM_Start and the time in them to their own.
 *
 * Thread safety: the call that a thread is in is its own; all else is under the runtime's mutex.
 */
#ifndef MPISHM_WATCH_H
#define MPISHM_WATCH_H

#include "base/attributes.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The entry points. */
#define MPISHM_CALLS(X)                                                                                                \
  X(SEND, "MPISHM_Send")                                                                                               \
  X(SSEND, "MPISHM_Ssend")                                                                                             \
  X(BSEND, "MPISHM_Bsend")                                                                                             \
  X(RSEND, "MPISHM_Rsend")                                                                                             \
  X(ISEND, "MPISHM_Isend")                                                                                             \
  X(ISSEND, "MPISHM_Issend")                                                                                           \
  X(IBSEND, "MPISHM_Ibsend")                                                                                           \
  X(IRSEND, "MPISHM_Irsend")                                                                                           \
  X(PACKING_BUFFER, "MPISHM_Packing_buffer")                                                                           \
  X(PACKING_PLACE, "MPISHM_Packing_place")                                                                             \
  X(SEND_PACKED, "MPISHM_Send_packed")                                                                                 \
  X(ISEND_PACKED, "MPISHM_Isend_packed")                                                                               \
  X(RECV, "MPISHM_Recv")                                                                                               \
  X(IRECV, "MPISHM_Irecv")                                                                                             \
  X(SENDRECV, "MPISHM_Sendrecv")                                                                                       \
  X(SENDRECV_REPLACE, "MPISHM_Sendrecv_replace")                                                                       \
  X(SEND_C, "MPISHM_Send_c")                                                                                           \
  X(SSEND_C, "MPISHM_Ssend_c")                                                                                         \
  X(BSEND_C, "MPISHM_Bsend_c")                                                                                         \
  X(RSEND_C, "MPISHM_Rsend_c")                                                                                         \
  X(ISEND_C, "MPISHM_Isend_c")                                                                                         \
  X(ISSEND_C, "MPISHM_Issend_c")                                                                                       \
  X(IBSEND_C, "MPISHM_Ibsend_c")                                                                                       \
  X(IRSEND_C, "MPISHM_Irsend_c")                                                                                       \
  X(RECV_C, "MPISHM_Recv_c")                                                                                           \
  X(IRECV_C, "MPISHM_Irecv_c")                                                                                         \
  X(SENDRECV_C, "MPISHM_Sendrecv_c")                                                                                   \
  X(SENDRECV_REPLACE_C, "MPISHM_Sendrecv_replace_c")                                                                   \
  X(ISENDRECV, "MPISHM_Isendrecv")                                                                                     \
  X(ISENDRECV_REPLACE, "MPISHM_Isendrecv_replace")                                                                     \
  X(ISENDRECV_C, "MPISHM_Isendrecv_c")                                                                                 \
  X(ISENDRECV_REPLACE_C, "MPISHM_Isendrecv_replace_c")                                                                 \
  X(SEND_INIT, "MPISHM_Send_init")                                                                                     \
  X(SSEND_INIT, "MPISHM_Ssend_init")                                                                                   \
  X(RSEND_INIT, "MPISHM_Rsend_init")                                                                                   \
  X(BSEND_INIT, "MPISHM_Bsend_init")                                                                                   \
  X(RECV_INIT, "MPISHM_Recv_init")                                                                                     \
  X(SEND_INIT_C, "MPISHM_Send_init_c")                                                                                 \
  X(SSEND_INIT_C, "MPISHM_Ssend_init_c")                                                                               \
  X(RSEND_INIT_C, "MPISHM_Rsend_init_c")                                                                               \
  X(BSEND_INIT_C, "MPISHM_Bsend_init_c")                                                                               \
  X(RECV_INIT_C, "MPISHM_Recv_init_c")                                                                                 \
  X(START, "MPISHM_Start")                                                                                             \
  X(STARTALL, "MPISHM_Startall")                                                                                       \
  X(WAIT, "MPISHM_Wait")                                                                                               \
  X(WAITALL, "MPISHM_Waitall")                                                                                         \
  X(WAITANY, "MPISHM_Waitany")                                                                                         \
  X(WAITSOME, "MPISHM_Waitsome")                                                                                       \
  X(TEST, "MPISHM_Test")                                                                                               \
  X(TESTALL, "MPISHM_Testall")                                                                                         \
  X(TESTANY, "MPISHM_Testany")                                                                                         \
  X(TESTSOME, "MPISHM_Testsome")                                                                                       \
  X(REQUEST_FREE, "MPISHM_Request_free")                                                                               \
  X(REQUEST_GET_STATUS, "MPISHM_Request_get_status")                                                                   \
  X(REQUEST_GET_STATUS_ALL, "MPISHM_Request_get_status_all")                                                           \
  X(REQUEST_GET_STATUS_ANY, "MPISHM_Request_get_status_any")                                                           \
  X(REQUEST_GET_STATUS_SOME, "MPISHM_Request_get_status_some")                                                         \
  X(CANCEL, "MPISHM_Cancel")                                                                                           \
  X(MPROBE, "MPISHM_Mprobe")                                                                                           \
  X(IMPROBE, "MPISHM_Improbe")                                                                                         \
  X(MRECV, "MPISHM_Mrecv")                                                                                             \
  X(IMRECV, "MPISHM_Imrecv")                                                                                           \
  X(MRECV_C, "MPISHM_Mrecv_c")                                                                                         \
  X(IMRECV_C, "MPISHM_Imrecv_c")                                                                                       \
  X(PROBE, "MPISHM_Probe")                                                                                             \
  X(IPROBE, "MPISHM_Iprobe")                                                                                           \
  X(BARRIER, "MPISHM_Barrier")                                                                                         \
  X(BCAST, "MPISHM_Bcast")                                                                                             \
  X(ALLREDUCE, "MPISHM_Allreduce")                                                                                     \
  X(REDUCE, "MPISHM_Reduce")                                                                                           \
  X(ALLTOALL, "MPISHM_Alltoall")                                                                                       \
  X(ALLTOALLV, "MPISHM_Alltoallv")                                                                                     \
  X(ALLTOALLW, "MPISHM_Alltoallw")                                                                                     \
  X(ALLGATHER, "MPISHM_Allgather")                                                                                     \
  X(ALLGATHERV, "MPISHM_Allgatherv")                                                                                   \
  X(BCAST_C, "MPISHM_Bcast_c")                                                                                         \
  X(ALLREDUCE_C, "MPISHM_Allreduce_c")                                                                                 \
  X(REDUCE_C, "MPISHM_Reduce_c")                                                                                       \
  X(ALLTOALL_C, "MPISHM_Alltoall_c")                                                                                   \
  X(ALLTOALLV_C, "MPISHM_Alltoallv_c")                                                                                 \
  X(ALLTOALLW_C, "MPISHM_Alltoallw_c")                                                                                 \
  X(ALLGATHER_C, "MPISHM_Allgather_c")                                                                                 \
  X(ALLGATHERV_C, "MPISHM_Allgatherv_c")                                                                               \
  X(GATHER, "MPISHM_Gather")                                                                                           \
  X(GATHERV, "MPISHM_Gatherv")                                                                                         \
  X(SCATTER, "MPISHM_Scatter")                                                                                         \
  X(SCATTERV, "MPISHM_Scatterv")                                                                                       \
  X(GATHER_C, "MPISHM_Gather_c")                                                                                       \
  X(GATHERV_C, "MPISHM_Gatherv_c")                                                                                     \
  X(SCATTER_C, "MPISHM_Scatter_c")                                                                                     \
  X(SCATTERV_C, "MPISHM_Scatterv_c")                                                                                   \
  X(SCAN, "MPISHM_Scan")                                                                                               \
  X(EXSCAN, "MPISHM_Exscan")                                                                                           \
  X(REDUCE_SCATTER, "MPISHM_Reduce_scatter")                                                                           \
  X(REDUCE_SCATTER_BLOCK, "MPISHM_Reduce_scatter_block")                                                               \
  X(SCAN_C, "MPISHM_Scan_c")                                                                                           \
  X(EXSCAN_C, "MPISHM_Exscan_c")                                                                                       \
  X(REDUCE_SCATTER_C, "MPISHM_Reduce_scatter_c")                                                                       \
  X(REDUCE_SCATTER_BLOCK_C, "MPISHM_Reduce_scatter_block_c")                                                           \
  X(NEIGHBOR_ALLGATHER, "MPISHM_Neighbor_allgather")                                                                   \
  X(NEIGHBOR_ALLGATHERV, "MPISHM_Neighbor_allgatherv")                                                                 \
  X(NEIGHBOR_ALLTOALL, "MPISHM_Neighbor_alltoall")                                                                     \
  X(NEIGHBOR_ALLTOALLV, "MPISHM_Neighbor_alltoallv")                                                                   \
  X(NEIGHBOR_ALLTOALLW, "MPISHM_Neighbor_alltoallw")                                                                   \
  X(NEIGHBOR_ALLGATHER_C, "MPISHM_Neighbor_allgather_c")                                                               \
  X(NEIGHBOR_ALLGATHERV_C, "MPISHM_Neighbor_allgatherv_c")                                                             \
  X(NEIGHBOR_ALLTOALL_C, "MPISHM_Neighbor_alltoall_c")                                                                 \
  X(NEIGHBOR_ALLTOALLV_C, "MPISHM_Neighbor_alltoallv_c")                                                               \
  X(NEIGHBOR_ALLTOALLW_C, "MPISHM_Neighbor_alltoallw_c")                                                               \
  X(IBARRIER, "MPISHM_Ibarrier")                                                                                       \
  X(IBCAST, "MPISHM_Ibcast")                                                                                           \
  X(IGATHER, "MPISHM_Igather")                                                                                         \
  X(IGATHERV, "MPISHM_Igatherv")                                                                                       \
  X(ISCATTER, "MPISHM_Iscatter")                                                                                       \
  X(ISCATTERV, "MPISHM_Iscatterv")                                                                                     \
  X(IALLGATHER, "MPISHM_Iallgather")                                                                                   \
  X(IALLGATHERV, "MPISHM_Iallgatherv")                                                                                 \
  X(IALLTOALL, "MPISHM_Ialltoall")                                                                                     \
  X(IALLTOALLV, "MPISHM_Ialltoallv")                                                                                   \
  X(IALLTOALLW, "MPISHM_Ialltoallw")                                                                                   \
  X(IALLREDUCE, "MPISHM_Iallreduce")                                                                                   \
  X(IREDUCE, "MPISHM_Ireduce")                                                                                         \
  X(ISCAN, "MPISHM_Iscan")                                                                                             \
  X(IEXSCAN, "MPISHM_Iexscan")                                                                                         \
  X(IREDUCE_SCATTER, "MPISHM_Ireduce_scatter")                                                                         \
  X(IREDUCE_SCATTER_BLOCK, "MPISHM_Ireduce_scatter_block")                                                             \
  X(INEIGHBOR_ALLGATHER, "MPISHM_Ineighbor_allgather")                                                                 \
  X(INEIGHBOR_ALLGATHERV, "MPISHM_Ineighbor_allgatherv")                                                               \
  X(INEIGHBOR_ALLTOALL, "MPISHM_Ineighbor_alltoall")                                                                   \
  X(INEIGHBOR_ALLTOALLV, "MPISHM_Ineighbor_alltoallv")                                                                 \
  X(INEIGHBOR_ALLTOALLW, "MPISHM_Ineighbor_alltoallw")                                                                 \
  X(IBCAST_C, "MPISHM_Ibcast_c")                                                                                       \
  X(IGATHER_C, "MPISHM_Igather_c")                                                                                     \
  X(IGATHERV_C, "MPISHM_Igatherv_c")                                                                                   \
  X(ISCATTER_C, "MPISHM_Iscatter_c")                                                                                   \
  X(ISCATTERV_C, "MPISHM_Iscatterv_c")                                                                                 \
  X(IALLGATHER_C, "MPISHM_Iallgather_c")                                                                               \
  X(IALLGATHERV_C, "MPISHM_Iallgatherv_c")                                                                             \
  X(IALLTOALL_C, "MPISHM_Ialltoall_c")                                                                                 \
  X(IALLTOALLV_C, "MPISHM_Ialltoallv_c")                                                                               \
  X(IALLTOALLW_C, "MPISHM_Ialltoallw_c")                                                                               \
  X(IALLREDUCE_C, "MPISHM_Iallreduce_c")                                                                               \
  X(IREDUCE_C, "MPISHM_Ireduce_c")                                                                                     \
  X(ISCAN_C, "MPISHM_Iscan_c")                                                                                         \
  X(IEXSCAN_C, "MPISHM_Iexscan_c")                                                                                     \
  X(IREDUCE_SCATTER_C, "MPISHM_Ireduce_scatter_c")                                                                     \
  X(IREDUCE_SCATTER_BLOCK_C, "MPISHM_Ireduce_scatter_block_c")                                                         \
  X(INEIGHBOR_ALLGATHER_C, "MPISHM_Ineighbor_allgather_c")                                                             \
  X(INEIGHBOR_ALLGATHERV_C, "MPISHM_Ineighbor_allgatherv_c")                                                           \
  X(INEIGHBOR_ALLTOALL_C, "MPISHM_Ineighbor_alltoall_c")                                                               \
  X(INEIGHBOR_ALLTOALLV_C, "MPISHM_Ineighbor_alltoallv_c")                                                             \
  X(INEIGHBOR_ALLTOALLW_C, "MPISHM_Ineighbor_alltoallw_c")                                                             \
  X(BARRIER_INIT, "MPISHM_Barrier_init")                                                                               \
  X(BCAST_INIT, "MPISHM_Bcast_init")                                                                                   \
  X(GATHER_INIT, "MPISHM_Gather_init")                                                                                 \
  X(GATHERV_INIT, "MPISHM_Gatherv_init")                                                                               \
  X(SCATTER_INIT, "MPISHM_Scatter_init")                                                                               \
  X(SCATTERV_INIT, "MPISHM_Scatterv_init")                                                                             \
  X(ALLGATHER_INIT, "MPISHM_Allgather_init")                                                                           \
  X(ALLGATHERV_INIT, "MPISHM_Allgatherv_init")                                                                         \
  X(ALLTOALL_INIT, "MPISHM_Alltoall_init")                                                                             \
  X(ALLTOALLV_INIT, "MPISHM_Alltoallv_init")                                                                           \
  X(ALLTOALLW_INIT, "MPISHM_Alltoallw_init")                                                                           \
  X(ALLREDUCE_INIT, "MPISHM_Allreduce_init")                                                                           \
  X(REDUCE_INIT, "MPISHM_Reduce_init")                                                                                 \
  X(SCAN_INIT, "MPISHM_Scan_init")                                                                                     \
  X(EXSCAN_INIT, "MPISHM_Exscan_init")                                                                                 \
  X(REDUCE_SCATTER_INIT, "MPISHM_Reduce_scatter_init")                                                                 \
  X(REDUCE_SCATTER_BLOCK_INIT, "MPISHM_Reduce_scatter_block_init")                                                     \
  X(NEIGHBOR_ALLGATHER_INIT, "MPISHM_Neighbor_allgather_init")                                                         \
  X(NEIGHBOR_ALLGATHERV_INIT, "MPISHM_Neighbor_allgatherv_init")                                                       \
  X(NEIGHBOR_ALLTOALL_INIT, "MPISHM_Neighbor_alltoall_init")                                                           \
  X(NEIGHBOR_ALLTOALLV_INIT, "MPISHM_Neighbor_alltoallv_init")                                                         \
  X(NEIGHBOR_ALLTOALLW_INIT, "MPISHM_Neighbor_alltoallw_init")                                                         \
  X(BCAST_INIT_C, "MPISHM_Bcast_init_c")                                                                               \
  X(GATHER_INIT_C, "MPISHM_Gather_init_c")                                                                             \
  X(GATHERV_INIT_C, "MPISHM_Gatherv_init_c")                                                                           \
  X(SCATTER_INIT_C, "MPISHM_Scatter_init_c")                                                                           \
  X(SCATTERV_INIT_C, "MPISHM_Scatterv_init_c")                                                                         \
  X(ALLGATHER_INIT_C, "MPISHM_Allgather_init_c")                                                                       \
  X(ALLGATHERV_INIT_C, "MPISHM_Allgatherv_init_c")                                                                     \
  X(ALLTOALL_INIT_C, "MPISHM_Alltoall_init_c")                                                                         \
  X(ALLTOALLV_INIT_C, "MPISHM_Alltoallv_init_c")                                                                       \
  X(ALLTOALLW_INIT_C, "MPISHM_Alltoallw_init_c")                                                                       \
  X(ALLREDUCE_INIT_C, "MPISHM_Allreduce_init_c")                                                                       \
  X(REDUCE_INIT_C, "MPISHM_Reduce_init_c")                                                                             \
  X(SCAN_INIT_C, "MPISHM_Scan_init_c")                                                                                 \
  X(EXSCAN_INIT_C, "MPISHM_Exscan_init_c")                                                                             \
  X(REDUCE_SCATTER_INIT_C, "MPISHM_Reduce_scatter_init_c")                                                             \
  X(REDUCE_SCATTER_BLOCK_INIT_C, "MPISHM_Reduce_scatter_block_init_c")                                                 \
  X(NEIGHBOR_ALLGATHER_INIT_C, "MPISHM_Neighbor_allgather_init_c")                                                     \
  X(NEIGHBOR_ALLGATHERV_INIT_C, "MPISHM_Neighbor_allgatherv_init_c")                                                   \
  X(NEIGHBOR_ALLTOALL_INIT_C, "MPISHM_Neighbor_alltoall_init_c")                                                       \
  X(NEIGHBOR_ALLTOALLV_INIT_C, "MPISHM_Neighbor_alltoallv_init_c")                                                     \
  X(NEIGHBOR_ALLTOALLW_INIT_C, "MPISHM_Neighbor_alltoallw_init_c")                                                     \
  X(WIN_CREATE, "MPISHM_Win_create")                                                                                   \
  X(WIN_CREATE_C, "MPISHM_Win_create_c")                                                                               \
  X(WIN_ALLOCATE, "MPISHM_Win_allocate")                                                                               \
  X(WIN_ALLOCATE_C, "MPISHM_Win_allocate_c")                                                                           \
  X(WIN_ALLOCATE_SHARED, "MPISHM_Win_allocate_shared")                                                                 \
  X(WIN_ALLOCATE_SHARED_C, "MPISHM_Win_allocate_shared_c")                                                             \
  X(PUT, "MPISHM_Put")                                                                                                 \
  X(PUT_C, "MPISHM_Put_c")                                                                                             \
  X(GET, "MPISHM_Get")                                                                                                 \
  X(GET_C, "MPISHM_Get_c")                                                                                             \
  X(ACCUMULATE, "MPISHM_Accumulate")                                                                                   \
  X(ACCUMULATE_C, "MPISHM_Accumulate_c")                                                                               \
  X(GET_ACCUMULATE, "MPISHM_Get_accumulate")                                                                           \
  X(GET_ACCUMULATE_C, "MPISHM_Get_accumulate_c")                                                                       \
  X(RPUT, "MPISHM_Rput")                                                                                               \
  X(RPUT_C, "MPISHM_Rput_c")                                                                                           \
  X(RGET, "MPISHM_Rget")                                                                                               \
  X(RGET_C, "MPISHM_Rget_c")                                                                                           \
  X(RACCUMULATE, "MPISHM_Raccumulate")                                                                                 \
  X(RACCUMULATE_C, "MPISHM_Raccumulate_c")                                                                             \
  X(RGET_ACCUMULATE, "MPISHM_Rget_accumulate")                                                                         \
  X(RGET_ACCUMULATE_C, "MPISHM_Rget_accumulate_c")                                                                     \
  X(FETCH_AND_OP, "MPISHM_Fetch_and_op")                                                                               \
  X(COMPARE_AND_SWAP, "MPISHM_Compare_and_swap")                                                                       \
  X(WIN_FREE, "MPISHM_Win_free")                                                                                       \
  X(WIN_GET_ATTR, "MPISHM_Win_get_attr")                                                                               \
  X(WIN_FENCE, "MPISHM_Win_fence")                                                                                     \
  X(WIN_POST, "MPISHM_Win_post")                                                                                       \
  X(WIN_START, "MPISHM_Win_start")                                                                                     \
  X(WIN_COMPLETE, "MPISHM_Win_complete")                                                                               \
  X(WIN_WAIT, "MPISHM_Win_wait")                                                                                       \
  X(WIN_TEST, "MPISHM_Win_test")                                                                                       \
  X(WIN_LOCK, "MPISHM_Win_lock")                                                                                       \
  X(WIN_UNLOCK, "MPISHM_Win_unlock")                                                                                   \
  X(WIN_LOCK_ALL, "MPISHM_Win_lock_all")                                                                               \
  X(WIN_UNLOCK_ALL, "MPISHM_Win_unlock_all")                                                                           \
  X(WIN_FLUSH, "MPISHM_Win_flush")                                                                                     \
  X(WIN_FLUSH_ALL, "MPISHM_Win_flush_all")                                                                             \
  X(WIN_FLUSH_LOCAL, "MPISHM_Win_flush_local")                                                                         \
  X(WIN_FLUSH_LOCAL_ALL, "MPISHM_Win_flush_local_all")                                                                 \
  X(WIN_SYNC, "MPISHM_Win_sync")

enum call {
#define MPISHM_CALL(name, text) CALL_##name,
  MPISHM_CALLS(MPISHM_CALL)
#undef MPISHM_CALL
      CALL_COUNT
};

/* How a message went. */
enum path {
  PATH_INLINE,           /* in a cell */
  PATH_EAGER,            /* in the memory beside the cells */
  PATH_WINDOW,           /* one copy by loads and stores: a buffer in the window, or a message to oneself */
  PATH_KERNEL,           /* one copy by the kernel, from or to private memory */
  PATH_STAGED,           /* copied into the window by the sender, out of it by the receiver */
  PATH_MPI_OTHER_NODE,   /* through MPI, and why */
  PATH_MPI_NODEWISE,     /* the communicator has members on several nodes, and such messages are MPI's */
  PATH_MPI_UNREGISTERED, /* the communicator was not registered */
  PATH_MPI_WINDOW_FULL,
  PATH_MPI_NO_WINDOW, /* this node has none */
  PATH_MPI_DISABLED,  /* MPISHM_DISABLE, or not attached */
  PATH_COUNT,
  PATH_NONE = PATH_COUNT /* counted already, or not a message (MPI_PROC_NULL) */
};

/* The names of calls and paths, as users see them. */
extern const char *const call_names[CALL_COUNT];
extern const char *const path_names[PATH_COUNT];

struct operation; /* messages/operations.h: here only a name */

/* A message that MPI carries, and the request of MPI's that stands for it. */
struct mpi_message {
  enum call call;
  const void *site;
  bool is_send;
  int peer, tag;
  MPI_Comm comm;
  uint64_t bytes; /* of a receive: of its buffer */
  enum path path; /* why; PATH_NONE: it does not, a probe waits for it */

  uint64_t key;                   /* of the request */
  struct mpi_message *next_known; /* in the array of a completion call */
  int index;
};

enum { WATCH_POSTED = 2 };

/* The call of an entry point that a thread is in. */
struct watched_call {
  enum call call;
  const void *site;
  enum call charged_call; /* whose messages these are: this call's, or the one that made the persistent request */
  const void *charged_site;
  uint64_t entered; /* watch_clock; 0: in no call */
  int count;        /* of a completion call: its requests */
  MPI_Request *requests;
  struct mpi_message *known;              /* of those of them that were MPI's on entry */
  struct operation *posted[WATCH_POSTED]; /* of a blocking call: its messages */
  int posted_count;
  struct mpi_message messages[WATCH_POSTED]; /* those that go through MPI */
  int message_count;
  bool awaits; /* a collective: another member */
  MPI_Comm awaited_comm;
  int awaited_rank;
  bool left_to_library; /* a collective: since that is faster, or to see whether it is */
  bool reported;        /* it has waited longer than MPISHM_TIMEOUT, and that was said */
  uint64_t aborts_at;   /* then; where MPISHM_TIMEOUT_ACTION says so */
};

/* Nanoseconds of the monotonic clock. */
uint64_t watch_clock(void);

/* ---- Set-up and teardown, collective over MPI_COMM_WORLD. ---- */

/* What this rank's environment asks for. Every rank gets what any of them asks for: the maximum, member by member. */
enum { WATCH_SETTINGS = 3 };
void watch_environment(int64_t settings[WATCH_SETTINGS]);
/* Writes a line for each message that a call waits for. */
typedef void describe_wait(const struct watched_call *call, FILE *to);
void watch_start(const int64_t settings[WATCH_SETTINGS], describe_wait *describer);
/* Before the window goes. Prints or writes the statistics. */
void watch_end(void);

/* The call that this thread is in. */
struct watched_call *watch_call(void);
/* What is known of a request of MPI's, or NULL. */
const struct mpi_message *watch_mpi_message(MPI_Request request);

/* ---- Hooks: out of the way of programs that are not watched. ---- */

/* The slow halves of runtime_enter, runtime_leave (watch/enter.h): take and give back the mutex, begin and end a call.
 */
extern _Thread_local const void *came_from; /* between the two halves of an entry point in two */
COLD void attended_enter(enum call call, const void *site, int count, MPI_Request *requests);
COLD void attended_leave(void);
/* The next message is one of a persistent request that was made there. */
COLD void watch_charge(enum call call, const void *site);
/* The call goes on in MPI, with this message. */
COLD void watch_mpi(bool is_send, MPI_Count count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm);
/* MPI made this request for it. */
COLD void watch_mpi_request(MPI_Request request);
/* MPI starts this persistent request. */
COLD void watch_mpi_start(MPI_Request request);
/* A send was done at once. */
COLD void watch_eager(size_t bytes);
COLD void watch_at_once(enum path path, size_t bytes);
/* A message is done, which that call started. */
COLD void watch_message(enum call call, const void *site, bool is_send, enum path path, uint64_t bytes);

/* A collective waits for a member that has not come so far. */
COLD void watch_member(MPI_Comm comm, int rank);
/* A collective that could be ours is left to the library. */
COLD void watch_left_to_library(void);
/* The call waits; called now and then. */
COLD void watch_wait(void);
/* Whether blocking calls that go through MPI are to wait with watch_mpi_wait. */
bool watch_waits(void);
/* Before a function of MPI's that waits for all or any of these requests, and before MPI_Recv. Without the mutex. */
COLD void watch_mpi_wait(int count, const MPI_Request requests[], bool all);
COLD void watch_mpi_receive(int source, int tag, MPI_Comm comm);
/* The call waits for such a message, and receives none. */
COLD void watch_probe(int source, int tag, MPI_Comm comm);

#endif
