/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mpi3shm_fence - active epochs between MPI_Win_fence calls, which synchronise processes and memory.
 */
#include "mpi3shm.h"

static struct mpi3shm s;

static int set_up(struct halo *h) {
  mpi3shm_set_up(&s, h);
  return 1;
}

static void begin(int bytes) {
  s.bytes = bytes;
  MPI_Win_fence(0, s.window);
}

static void start(void) { mpi3shm_copy_out(&s); }

static void finish(void) {
  MPI_Win_fence(0, s.window);
  mpi3shm_copy_in(&s);
  MPI_Win_fence(0, s.window);
}

static void tear_down(void) { mpi3shm_tear_down(&s); }

const struct pattern mpi3shm_fence = {.name = "mpi3shm_fence",
                                      .set_up = set_up,
                                      .begin = begin,
                                      .start = start,
                                      .finish = finish,
                                      .tear_down = tear_down};
