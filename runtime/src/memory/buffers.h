/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The program's heap in the window: pieces of any size, as malloc gives them. Large ones are whole pages (heap.h).
 * Small ones are cells of one of a few sizes, cut from a *run* of pages, after J. Bonwick, "The slab allocator" (USENIX
 * 1994); which cells of a run are free says a bitmap. All books lie in private memory, so that a program that writes
 * beyond its buffer does not break them. Not thread-safe by itself.
 */
#ifndef MPISHM_BUFFERS_H
#define MPISHM_BUFFERS_H

#include "memory/heap.h"

enum {
  BUFFER_ALIGNMENT = 64, /* bytes: of every piece, a cache line */
  RUN_SHIFT = 2,         /* a run is 2^2 pages */
  RUN_BYTES = 1 << (HEAP_PAGE_SHIFT + RUN_SHIFT),
  RUN_WORDS = RUN_BYTES / BUFFER_ALIGNMENT / 64, /* of the bitmap */
  BUFFER_CLASSES = 16
};

struct run {
  uint64_t free[RUN_WORDS]; /* bit of each free cell */
  uint32_t next, previous;  /* 1 + run, in the list of runs of its class that have free cells; 0: none */
  uint16_t cells, used;
  uint16_t class_of; /* 1 + index of the cells' size; 0: these pages are no run */
};

struct buffers {
  struct heap pages;
  struct run *runs;              /* per RUN_BYTES of the heap */
  uint32_t room[BUFFER_CLASSES]; /* 1 + first run of that class with free cells, 0: none */
};

/* As heap_init and heap_destroy. */
bool buffers_init(struct buffers *buffers, void *base, size_t bytes);
void buffers_destroy(struct buffers *buffers);
/* At least `bytes` bytes, committed; NULL when there is no room, or for an alignment of more than a page. */
void *buffers_allocate(struct buffers *buffers, size_t alignment, size_t bytes);
/* Makes a piece, which lies in the heap, one of `bytes` bytes where it is. False when it is too small, or much too
 * large: then nothing has changed, and *holds bytes may be copied from it (0: no piece starts there). */
bool buffers_resize(struct buffers *buffers, void *pointer, size_t bytes, size_t *holds);
/* False when no piece starts there: nothing has happened. */
bool buffers_free(struct buffers *buffers, void *pointer);

#endif
