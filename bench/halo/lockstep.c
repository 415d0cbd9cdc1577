/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lockstep.h"
#include "fail.h"
#include "limit.h"

static struct {
  const struct halo *h;
  struct shared shared;
  _Atomic uint64_t *arrived; /* of rank 0: w: all, add with release; r: all, acquire: arrivals so far */
  uint64_t meetings;
} s;

void lockstep_set_up(const struct halo *h) {
  MPI_Aint size = 0;
  int unit = 0;
  s.h = h;
  if (!shared_set_up(&s.shared, h, CACHE_LINE))
    fail("-count needs all ranks on one node");
  MPI_Win_shared_query(s.shared.window, 0, &size, &unit, &s.arrived);
}

void lockstep_tear_down(void) { shared_tear_down(&s.shared); }

static void meet(void) {
  s.meetings++;
  atomic_fetch_add_explicit(s.arrived, 1, memory_order_acq_rel);
  await(s.arrived, s.meetings * (uint64_t)s.h->ranks, s.h);
}

__attribute__((noinline)) void counted_start(const struct pattern *p) {
  if (p->start != NULL)
    p->start();
}

__attribute__((noinline)) void counted_finish(const struct pattern *p) { p->finish(); }

__attribute__((noinline)) void counted_all(void) { __asm__ volatile(""); }

void exchange_in_lockstep(const struct pattern *p) {
  counted_start(p);
  meet();
  counted_finish(p);
  meet();
}
