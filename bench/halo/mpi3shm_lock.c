/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mpi3shm_lock - a passive epoch for each partner; MPI_Win_sync and MPI_Barrier.
 */
#include "mpi3shm.h"

static struct mpi3shm s;

/* Whom there is an epoch for: each partner on this node, once, and the rank itself, which stores into its own part. */
static int targets[MAX_PARTNERS + 1], ntargets;

static void add_target(int node_rank) {
  for (int i = 0; i < ntargets; i++)
    if (targets[i] == node_rank)
      return;
  targets[ntargets++] = node_rank;
}

static int set_up(struct halo *h) {
  int me = 0;
  mpi3shm_set_up(&s, h);
  MPI_Comm_rank(s.node, &me);
  ntargets = 0;
  add_target(me);
  for (int j = 0; j < h->npartner; j++)
    if (s.node_rank[j] != MPI_UNDEFINED)
      add_target(s.node_rank[j]);
  return 1;
}

static void begin(int bytes) {
  s.bytes = bytes;
  for (int i = 0; i < ntargets; i++)
    MPI_Win_lock(MPI_LOCK_SHARED, targets[i], MPI_MODE_NOCHECK, s.window);
}

static void start(void) { mpi3shm_copy_out(&s); }

static void finish(void) {
  mpi3shm_barrier(&s);
  mpi3shm_copy_in(&s);
  mpi3shm_barrier(&s);
}

static void end(void) {
  for (int i = 0; i < ntargets; i++)
    MPI_Win_unlock(targets[i], s.window);
}

static void tear_down(void) { mpi3shm_tear_down(&s); }

const struct pattern mpi3shm_lock = {.name = "mpi3shm_lock",
                                     .set_up = set_up,
                                     .begin = begin,
                                     .start = start,
                                     .finish = finish,
                                     .end = end,
                                     .tear_down = tear_down};
