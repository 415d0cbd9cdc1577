/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "memory/turns.h"

#include <string.h>

enum {
  LEAST_TURN = 4, /* of a message: smaller ones stay in any cache beside much else */
  FIRST_TURN = 64,
  ROUNDS_OF_A_TURN = 4, /* then it takes twice as much */
  SHARE_OF_TURNS = 16,  /* at most that part of it */
  TURNS_STEP = 64       /* are committed at a time, since each time costs a call of the kernel */
};

static size_t pages_needed(size_t bytes) { return (bytes + ((size_t)1 << HEAP_PAGE_SHIFT) - 1) >> HEAP_PAGE_SHIFT; }

static bool has_turns(struct turns *turns, struct heap *heap) {
  if (turns->pages || turns->refused)
    return turns->pages != 0;
  size_t pages = TURNS_PAGES;
  while (pages > heap->pages / SHARE_OF_TURNS)
    pages /= 2;
  turns->memory = pages >= FIRST_TURN ? heap_reserve(heap, pages << HEAP_PAGE_SHIFT) : NULL;
  turns->refused = !turns->memory;
  turns->pages = turns->memory ? pages : 0;
  turns->turn = FIRST_TURN;
  return turns->pages != 0;
}

static bool commit_turn(struct turns *turns, struct heap *heap, size_t end) {
  if (end <= turns->committed)
    return true;
  size_t further = end + TURNS_STEP < turns->turn ? end + TURNS_STEP : turns->turn;
  if (!heap_commit(heap, turns->memory, further << HEAP_PAGE_SHIFT))
    return false;
  turns->committed = further;
  return true;
}

static void begin_turn(struct turns *turns) {
  turns->head = 0;
  if (++turns->rounds < ROUNDS_OF_A_TURN || turns->turn == turns->pages)
    return;
  turns->turn *= 2;
  turns->rounds = 0;
}

/* Behind the last page of [head, head + pages) that a message has; the head: there is none. */
static size_t behind_taken(const struct turns *turns, size_t pages) {
  size_t end = turns->head + pages;
  while (end > turns->head && !turns->taken[end - 1])
    end--;
  return end;
}

/* Moves the head to so many free pages. False: there are none in a whole round. */
static bool find_turn(struct turns *turns, size_t pages) {
  for (unsigned begun = 0;;) {
    if (turns->head + pages > turns->turn) {
      if (begun++)
        return false;
      begin_turn(turns);
    }
    size_t behind = behind_taken(turns, pages);
    if (behind == turns->head)
      return true;
    turns->head = behind;
  }
}

void *turns_allocate(struct turns *turns, struct heap *heap, size_t bytes) {
  size_t pages = pages_needed(bytes);
  if (pages < LEAST_TURN || !has_turns(turns, heap) || 2 * pages > turns->pages)
    return NULL;
  while (turns->turn < 2 * pages)
    turns->turn *= 2;
  if (!find_turn(turns, pages) || !commit_turn(turns, heap, turns->head + pages))
    return NULL;
  char *memory = turns->memory + (turns->head << HEAP_PAGE_SHIFT);
  memset(turns->taken + turns->head, 1, pages);
  turns->head += pages;
  return memory;
}

bool turns_free(struct turns *turns, const void *memory, size_t bytes) {
  uintptr_t offset = (uintptr_t)memory - (uintptr_t)turns->memory;
  if (!turns->pages || offset >= turns->pages << HEAP_PAGE_SHIFT)
    return false;
  memset(turns->taken + (offset >> HEAP_PAGE_SHIFT), 0, pages_needed(bytes));
  return true;
}
