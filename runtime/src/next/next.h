/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The MPI functions that stand behind this library's own in line: libmpishm defines some of MPI's functions itself
 * (net/), and what it hands on to MPI goes to the next definition, so that a profiling library behind it sees the
 * program's calls as ever. (The runtime's own calls, which no program made, are PMPI_ ones.)
 *
 * Thread safety: constant once the library is loaded.
 */
#ifndef MPISHM_NEXT_H
#define MPISHM_NEXT_H

#include "mpishm.h"

/* The functions that net/ defines, by what follows MPI_ in their names: those that have a form for large counts (MPI
 * 4), and others. */
#ifdef MPISHM_HAVE_ISENDRECV
#define MPISHM_ISENDRECV(X)                                                                                            \
  X(Isendrecv)                                                                                                         \
  X(Isendrecv_replace)
#else
#define MPISHM_ISENDRECV(X)
#endif
#define MPISHM_COUNTED(X)                                                                                              \
  MPISHM_ISENDRECV(X)                                                                                                  \
  X(Send)                                                                                                              \
  X(Ssend)                                                                                                             \
  X(Bsend)                                                                                                             \
  X(Rsend)                                                                                                             \
  X(Isend)                                                                                                             \
  X(Issend)                                                                                                            \
  X(Ibsend)                                                                                                            \
  X(Irsend)                                                                                                            \
  X(Recv)                                                                                                              \
  X(Irecv)                                                                                                             \
  X(Sendrecv)                                                                                                          \
  X(Sendrecv_replace)                                                                                                  \
  X(Send_init)                                                                                                         \
  X(Ssend_init)                                                                                                        \
  X(Bsend_init)                                                                                                        \
  X(Rsend_init)                                                                                                        \
  X(Recv_init)                                                                                                         \
  X(Mrecv)                                                                                                             \
  X(Imrecv)
#ifdef MPISHM_HAVE_STATUSES
#define MPISHM_STATUSES(X)                                                                                             \
  X(Request_get_status_all)                                                                                            \
  X(Request_get_status_any)                                                                                            \
  X(Request_get_status_some)
#else
#define MPISHM_STATUSES(X)
#endif
#define MPISHM_PROBES(X)                                                                                               \
  X(Probe)                                                                                                             \
  X(Iprobe)                                                                                                            \
  X(Mprobe)                                                                                                            \
  X(Improbe)
#define MPISHM_COMPLETIONS(X)                                                                                          \
  MPISHM_STATUSES(X)                                                                                                   \
  X(Wait)                                                                                                              \
  X(Waitall)                                                                                                           \
  X(Waitany)                                                                                                           \
  X(Waitsome)                                                                                                          \
  X(Test)                                                                                                              \
  X(Testall)                                                                                                           \
  X(Testany)                                                                                                           \
  X(Testsome)                                                                                                          \
  X(Request_free)                                                                                                      \
  X(Request_get_status)                                                                                                \
  X(Cancel)                                                                                                            \
  X(Start)                                                                                                             \
  X(Startall)                                                                                                          \
  X(Comm_disconnect)
#ifdef MPISHM_HAVE_IDUP_WITH_INFO
#define MPISHM_IDUP_WITH_INFO(X) X(Comm_idup_with_info)
#else
#define MPISHM_IDUP_WITH_INFO(X)
#endif
#define MPISHM_MAKERS(X)                                                                                               \
  MPISHM_IDUP_WITH_INFO(X)                                                                                             \
  X(Comm_idup)                                                                                                         \
  X(Comm_dup)                                                                                                          \
  X(Comm_dup_with_info)                                                                                                \
  X(Comm_split)                                                                                                        \
  X(Comm_split_type)                                                                                                   \
  X(Comm_create)                                                                                                       \
  X(Comm_create_group)                                                                                                 \
  X(Cart_create)                                                                                                       \
  X(Cart_sub)                                                                                                          \
  X(Graph_create)                                                                                                      \
  X(Dist_graph_create)                                                                                                 \
  X(Dist_graph_create_adjacent)
/* Those that leaders of nodes serve where members are on several. */
#define MPISHM_LED(X)                                                                                                  \
  X(Bcast)                                                                                                             \
  X(Allreduce)                                                                                                         \
  X(Reduce)                                                                                                            \
  X(Alltoall)                                                                                                          \
  X(Alltoallv)                                                                                                         \
  X(Alltoallw)                                                                                                         \
  X(Allgather)                                                                                                         \
  X(Allgatherv)
#define MPISHM_COUNTED_COLLECTIVES(X)                                                                                  \
  MPISHM_LED(X)                                                                                                        \
  X(Gather)                                                                                                            \
  X(Gatherv)                                                                                                           \
  X(Scatter)                                                                                                           \
  X(Scatterv)                                                                                                          \
  X(Scan)                                                                                                              \
  X(Exscan)                                                                                                            \
  X(Reduce_scatter)                                                                                                    \
  X(Reduce_scatter_block)                                                                                              \
  X(Neighbor_allgather)                                                                                                \
  X(Neighbor_allgatherv)                                                                                               \
  X(Neighbor_alltoall)                                                                                                 \
  X(Neighbor_alltoallv)                                                                                                \
  X(Neighbor_alltoallw)
/* Those that give a request. */
#define MPISHM_COUNTED_NONBLOCKING(X)                                                                                  \
  X(Ibcast)                                                                                                            \
  X(Igather)                                                                                                           \
  X(Igatherv)                                                                                                          \
  X(Iscatter)                                                                                                          \
  X(Iscatterv)                                                                                                         \
  X(Iallgather)                                                                                                        \
  X(Iallgatherv)                                                                                                       \
  X(Ialltoall)                                                                                                         \
  X(Ialltoallv)                                                                                                        \
  X(Ialltoallw)                                                                                                        \
  X(Iallreduce)                                                                                                        \
  X(Ireduce)                                                                                                           \
  X(Iscan)                                                                                                             \
  X(Iexscan)                                                                                                           \
  X(Ireduce_scatter)                                                                                                   \
  X(Ireduce_scatter_block)                                                                                             \
  X(Ineighbor_allgather)                                                                                               \
  X(Ineighbor_allgatherv)                                                                                              \
  X(Ineighbor_alltoall)                                                                                                \
  X(Ineighbor_alltoallv)                                                                                               \
  X(Ineighbor_alltoallw)
/* Those that make one to be started. */
#ifdef MPISHM_HAVE_PERSISTENT_COLLECTIVES
#define MPISHM_COUNTED_PERSISTENT(X)                                                                                   \
  X(Bcast_init)                                                                                                        \
  X(Gather_init)                                                                                                       \
  X(Gatherv_init)                                                                                                      \
  X(Scatter_init)                                                                                                      \
  X(Scatterv_init)                                                                                                     \
  X(Allgather_init)                                                                                                    \
  X(Allgatherv_init)                                                                                                   \
  X(Alltoall_init)                                                                                                     \
  X(Alltoallv_init)                                                                                                    \
  X(Alltoallw_init)                                                                                                    \
  X(Allreduce_init)                                                                                                    \
  X(Reduce_init)                                                                                                       \
  X(Scan_init)                                                                                                         \
  X(Exscan_init)                                                                                                       \
  X(Reduce_scatter_init)                                                                                               \
  X(Reduce_scatter_block_init)                                                                                         \
  X(Neighbor_allgather_init)                                                                                           \
  X(Neighbor_allgatherv_init)                                                                                          \
  X(Neighbor_alltoall_init)                                                                                            \
  X(Neighbor_alltoallv_init)                                                                                           \
  X(Neighbor_alltoallw_init)
#define MPISHM_PERSISTENT_BARRIER(X) X(Barrier_init)
#else
#define MPISHM_COUNTED_PERSISTENT(X)
#define MPISHM_PERSISTENT_BARRIER(X)
#endif
#define MPISHM_NONBLOCKING(X)                                                                                          \
  X(Ibarrier)                                                                                                          \
  MPISHM_COUNTED_NONBLOCKING(X)
#define MPISHM_COLLECTIVES(X)                                                                                          \
  X(Barrier)                                                                                                           \
  MPISHM_COUNTED_COLLECTIVES(X)                                                                                        \
  MPISHM_NONBLOCKING(X)                                                                                                \
  MPISHM_PERSISTENT_BARRIER(X)                                                                                         \
  MPISHM_COUNTED_PERSISTENT(X)
/* One-sided communication. Of windows the net serves what is done with those that are registered, and makes none. */
#define MPISHM_COUNTED_ONESIDED(X)                                                                                     \
  X(Put)                                                                                                               \
  X(Get)                                                                                                               \
  X(Accumulate)                                                                                                        \
  X(Get_accumulate)                                                                                                    \
  X(Rput)                                                                                                              \
  X(Rget)                                                                                                              \
  X(Raccumulate)                                                                                                       \
  X(Rget_accumulate)
#define MPISHM_ONESIDED(X)                                                                                             \
  X(Fetch_and_op)                                                                                                      \
  X(Compare_and_swap)                                                                                                  \
  X(Win_free)                                                                                                          \
  X(Win_get_attr)                                                                                                      \
  X(Win_fence)                                                                                                         \
  X(Win_post)                                                                                                          \
  X(Win_start)                                                                                                         \
  X(Win_complete)                                                                                                      \
  X(Win_wait)                                                                                                          \
  X(Win_test)                                                                                                          \
  X(Win_lock)                                                                                                          \
  X(Win_unlock)                                                                                                        \
  X(Win_lock_all)                                                                                                      \
  X(Win_unlock_all)                                                                                                    \
  X(Win_flush)                                                                                                         \
  X(Win_flush_all)                                                                                                     \
  X(Win_flush_local)                                                                                                   \
  X(Win_flush_local_all)                                                                                               \
  X(Win_sync)
/* Those that only rewritten code calls. */
#define MPISHM_WINDOW_MAKERS(X)                                                                                        \
  X(Win_create)                                                                                                        \
  X(Win_allocate)                                                                                                      \
  X(Win_allocate_shared)
#if MPI_VERSION >= 4
#define MPISHM_LARGE(X) MPISHM_COUNTED(X)
#define MPISHM_LARGE_COLLECTIVES(X)                                                                                    \
  MPISHM_COUNTED_COLLECTIVES(X)                                                                                        \
  MPISHM_COUNTED_NONBLOCKING(X)                                                                                        \
  MPISHM_COUNTED_PERSISTENT(X)
#define MPISHM_LARGE_ONESIDED(X) MPISHM_COUNTED_ONESIDED(X)
#define MPISHM_LARGE_WINDOW_MAKERS(X) MPISHM_WINDOW_MAKERS(X)
#else
#define MPISHM_LARGE(X)
#define MPISHM_LARGE_COLLECTIVES(X)
#define MPISHM_LARGE_ONESIDED(X)
#define MPISHM_LARGE_WINDOW_MAKERS(X)
#endif

struct mpi_functions {
#define MEMBER(name) __typeof__(MPI_##name) *(name);
#define LARGE_MEMBER(name) __typeof__(MPI_##name##_c) *name##_c;
  MPISHM_COUNTED(MEMBER)
  MPISHM_LARGE(LARGE_MEMBER)
  MPISHM_PROBES(MEMBER)
  MPISHM_COMPLETIONS(MEMBER)
  MPISHM_MAKERS(MEMBER)
  MPISHM_COLLECTIVES(MEMBER)
  MPISHM_LARGE_COLLECTIVES(LARGE_MEMBER)
  MPISHM_COUNTED_ONESIDED(MEMBER)
  MPISHM_LARGE_ONESIDED(LARGE_MEMBER)
  MPISHM_ONESIDED(MEMBER)
  MPISHM_WINDOW_MAKERS(MEMBER)
  MPISHM_LARGE_WINDOW_MAKERS(LARGE_MEMBER)
#undef MEMBER
#undef LARGE_MEMBER
};
/* MPI's own, by their PMPI_ names. The runtime calls sends, receives and collectives by this table, so that a program
 * which libmpishm is linked into calls PMPI_Send and relatives only if its own code does (net/line.c). */
extern struct mpi_functions mpi_own;
/* Behind ours in line: for what the net hands on. */
extern struct mpi_functions mpi_next;
/* First in line but for ours: for what rewritten calls hand on. Another than the next where the program, or a library
 * before ours, defines the function as well. */
extern struct mpi_functions mpi_first;
/* For collectives that are not all on one node: mpi_first, or what leaders/ has put before it at set-up. */
extern const struct mpi_functions *mpi_beyond;

#endif
