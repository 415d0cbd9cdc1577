/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "long_waits.h"
#include "channel/long_waits.h"

#include <stdlib.h>

struct waiting_rank {
  struct segment segment;
};

struct waiting_rank *waiting_rank_create(void) {
  struct waiting_rank *rank = aligned_alloc(LINE, sizeof *rank);
  if (!rank)
    abort();
  *rank = (struct waiting_rank){0};
  return rank;
}

void waiting_rank_destroy(struct waiting_rank *rank) { free(rank); }

void waiting_rank_tell(struct waiting_rank *rank, struct told told) {
  long_wait_tell(&rank->segment, (struct long_wait_told){.context = told.context,
                                                         .call = told.call,
                                                         .awaited = told.awaited,
                                                         .number = told.number,
                                                         .last_milliseconds = told.milliseconds});
}

struct told waiting_rank_look(struct waiting_rank *rank) {
  struct long_wait_told told = long_wait_look(&rank->segment);
  return (struct told){told.context, told.number, told.call, told.awaited, told.last_milliseconds};
}
