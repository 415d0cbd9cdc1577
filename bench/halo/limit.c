/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "limit.h"

int shared_set_up(struct shared *s, const struct halo *h, long bytes) {
  MPI_Info info = MPI_INFO_NULL;
  if (h->nodes > 1)
    return 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  MPI_Win_allocate_shared(bytes, 1, info, MPI_COMM_WORLD, &s->mine, &s->window);
  MPI_Info_free(&info);
  memset(s->mine, 0, (size_t)bytes);
  for (int j = 0; j < h->npartner; j++) {
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(s->window, h->partner[j], &size, &unit, &s->of[j]);
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, s->window);
  MPI_Win_sync(s->window);
  MPI_Barrier(MPI_COMM_WORLD);
  return 1;
}

void shared_tear_down(struct shared *s) {
  MPI_Win_unlock_all(s->window);
  MPI_Win_free(&s->window);
}
