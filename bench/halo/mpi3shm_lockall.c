/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mpi3shm_lockall - one passive epoch for all ranks of the node; MPI_Win_sync and MPI_Barrier.
 */
#include "mpi3shm.h"

static struct mpi3shm s;

static int set_up(struct halo *h) {
  mpi3shm_set_up(&s, h);
  return 1;
}

static void begin(int bytes) {
  s.bytes = bytes;
  MPI_Win_lock_all(MPI_MODE_NOCHECK, s.window);
}

static void start(void) { mpi3shm_copy_out(&s); }

static void finish(void) {
  mpi3shm_barrier(&s);
  mpi3shm_copy_in(&s);
  mpi3shm_barrier(&s);
}

static void end(void) { MPI_Win_unlock_all(s.window); }

static void tear_down(void) { mpi3shm_tear_down(&s); }

const struct pattern mpi3shm_lockall = {.name = "mpi3shm_lockall",
                                        .set_up = set_up,
                                        .begin = begin,
                                        .start = start,
                                        .finish = finish,
                                        .end = end,
                                        .tear_down = tear_down};
