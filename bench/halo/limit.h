/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * limit.h - what the two bare limits share: how fast a node moves a halo when someone writes the loads and stores by
 * hand for this one pattern, with no matching, no requests, no datatypes, and no way to leave the node.
 */
#ifndef LIMIT_H
#define LIMIT_H

#include "halo.h"

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct shared {
  MPI_Win window;
  unsigned char *mine;             /* this rank's part of the window */
  unsigned char *of[MAX_PARTNERS]; /* the part of partner j */
};

/* Collective; 0 where the ranks are on several nodes. Every rank gets `bytes`, set to 0. */
int shared_set_up(struct shared *s, const struct halo *h, long bytes);
void shared_tear_down(struct shared *s);

/* Spins until *word is at least value, and sees what was stored before it was. */
static inline void await(const _Atomic uint64_t *word, uint64_t value, const struct halo *h) {
  int spins = 0;
  while (atomic_load_explicit(word, memory_order_acquire) < value)
    if (h->crowded && ++spins % 64 == 0)
      sched_yield();
    else
      __builtin_ia32_pause();
}

#endif
