/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/board.h"

#include <sched.h>
#include <string.h>

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

bool board_add(struct board *board, struct envelope envelope, int source) {
  if (board->count == BOARD_RECEIVES)
    return false;
  board->receives[board->count++] = (struct board_receive){envelope, source, -1, 0};
  return true;
}

void board_remove(struct board *board, unsigned i) {
  board->count--;
  memmove(&board->receives[i], &board->receives[i + 1], (board->count - i) * sizeof board->receives[0]);
}

int board_claimer(const struct board *board, unsigned i) { return board->receives[i].claimer; }

void board_promise(struct board *board, unsigned i, int node_rank, uint64_t position) {
  board->receives[i].claimer = node_rank;
  board->receives[i].position = position;
}

bool board_has_claim(const struct board *board, int node_rank, uint64_t position) {
  for (unsigned i = 0; i < board->count; i++)
    if (board->receives[i].claimer == node_rank && board->receives[i].position == position)
      return true;
  return false;
}
