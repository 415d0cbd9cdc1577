/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mpi3shm.h - what the three mpi3shm patterns share. They follow the description in M. Brinskiy, M. Lubin, "An
 * Introduction to MPI-3 Shared Memory Programming", The Parallel Universe (2015), and differ in how they
 * synchronise:
 *
 *   every rank puts its messages into its own part of a shared window;   synchronise;
 *   every rank reads its partners' parts;                                synchronise again before the next round.
 *
 * Partners on other nodes get plain messages.
 */
#ifndef MPI3SHM_H
#define MPI3SHM_H

#include "halo.h"

#include <mpi.h>

struct mpi3shm {
  struct halo *h;
  int bytes;
  MPI_Comm world, node; /* own communicators: all ranks, the ranks of this node */
  MPI_Win window;
  unsigned char *mine;                    /* this rank's part: a place for each of its messages */
  unsigned char *from[MAX_PARTNERS];      /* where partner j put the message for this rank; NULL on another node */
  int node_rank[MAX_PARTNERS];            /* of partner j in node, or MPI_UNDEFINED */
  MPI_Request requests[2 * MAX_PARTNERS]; /* for partners on other nodes */
  int count;
};

/* Collective. With h->alloc_mem the send buffers are in the window, so that nothing is copied there. */
void mpi3shm_set_up(struct mpi3shm *s, struct halo *h);
void mpi3shm_tear_down(struct mpi3shm *s);

/* Posts the messages of other nodes and copies those of this node into the window, unless they are there. */
void mpi3shm_copy_out(struct mpi3shm *s);

/* Copies out of the partners' parts, and completes the messages of other nodes. */
void mpi3shm_copy_in(struct mpi3shm *s);

/* In a passive epoch: what any rank of the node stored before is visible to all after. */
void mpi3shm_barrier(struct mpi3shm *s);

#endif
