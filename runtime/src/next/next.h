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

/* The functions that net/ defines, by what follows MPI_ in their names. */
#define MPISHM_COUNTED(X)                                                                                              \
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
#define MPISHM_UNCOUNTED(X)                                                                                            \
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
  X(Probe)                                                                                                             \
  X(Iprobe)                                                                                                            \
  X(Mprobe)                                                                                                            \
  X(Improbe)                                                                                                           \
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

/* Where the MPI library has them (mpishm.h). */
#ifdef MPISHM_HAVE_ISENDRECV
#define MPISHM_COUNTED_SINCE(X)                                                                                        \
  X(Isendrecv)                                                                                                         \
  X(Isendrecv_replace)
#else
#define MPISHM_COUNTED_SINCE(X)
#endif

struct mpi_next {
#define MEMBER(name) __typeof__(MPI_##name) *name;
  MPISHM_COUNTED(MEMBER)
  MPISHM_COUNTED_SINCE(MEMBER) MPISHM_UNCOUNTED(MEMBER)
#undef MEMBER
#if MPI_VERSION >= 4
#define MEMBER(name) __typeof__(MPI_##name##_c) *name##_c;
      MPISHM_COUNTED(MEMBER) MPISHM_COUNTED_SINCE(MEMBER)
#undef MEMBER
#endif
};
extern struct mpi_next mpi_next;

#endif
