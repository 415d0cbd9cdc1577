/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of a heap for large messages, used in turn: what was given back last is given out again as late as can be.
 * Lines that another core's cache holds are written at a third of the speed of those that it has forgotten meanwhile;
 * a heap, which gives out again at once what was given back, makes that the most frequent case.
 *
 * What is used in turn is little at first, twice as much after some rounds, and at last more than the caches of one
 * core hold. It is committed as the head comes to it. Not thread-safe by itself.
 */
#ifndef MPISHM_TURNS_H
#define MPISHM_TURNS_H

#include "memory/heap.h"

enum { TURNS_PAGES = 512 }; /* 2 MiB */

struct turns {
  char *memory;
  size_t pages; /* that `memory` has; 0: it was not asked for yet, or the heap had no room */
  size_t turn;  /* used in turn now */
  size_t head, committed;
  unsigned rounds; /* of this turn */
  bool refused;
  uint8_t taken[TURNS_PAGES]; /* per page: 1, if a message has it */
};

/* NULL: it is too small or too large for this, or there is no room. `turns` begins as zeroes, and stays with a heap. */
void *turns_allocate(struct turns *turns, struct heap *heap, size_t bytes);
/* False: the memory is not from here. `bytes` as they were asked for. */
bool turns_free(struct turns *turns, const void *memory, size_t bytes);

#endif
