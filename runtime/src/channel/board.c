/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/board.h"

#include <sched.h>

bool board_try_lock(struct board *board) {
  return atomic_exchange_explicit(&board->lock, 1, memory_order_acquire) == 0;
}

/* A sender holds it while it compares a few messages with a few receives, and never waits meanwhile. */
void board_lock(struct board *board) {
  enum { SPINS = 200 };
  for (int spins = 1; !board_try_lock(board); spins++) {
    cpu_relax();
    if (spins % SPINS == 0)
      sched_yield();
  }
}

void board_unlock(struct board *board) { atomic_store_explicit(&board->lock, 0, memory_order_release); }

/* Offset 0 is the segment's head, and serves as "none". */
static struct receive *neighbour(struct segment *own, uint64_t offset) {
  return offset ? (struct receive *)at_offset(own, offset) : NULL;
}

void board_add(struct segment *own, struct receive *receive, int source) {
  struct board *board = &own->board;
  uint64_t offset = offset_of(own, receive);
  receive->source = source;
  receive->claimer = -1;
  receive->older = board->newest;
  receive->newer = 0;
  struct receive *older = neighbour(own, receive->older);
  *(older ? &older->newer : &board->oldest) = offset;
  board->newest = offset;
}

void board_remove(struct segment *own, struct receive *receive) {
  struct receive *older = neighbour(own, receive->older), *newer = neighbour(own, receive->newer);
  *(older ? &older->newer : &own->board.oldest) = receive->newer;
  *(newer ? &newer->older : &own->board.newest) = receive->older;
}

void board_promise(struct receive *receive, int node_rank, uint64_t position) {
  receive->claimer = node_rank;
  receive->position = position;
}

bool board_has_claim(struct segment *own, int node_rank, uint64_t position) {
  for (const struct receive *at = board_oldest(own); at; at = board_newer(own, at))
    if (at->claimer == node_rank && at->position == position)
      return true;
  return false;
}
