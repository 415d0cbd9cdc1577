/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of this rank's segment: whole pages from a buddy allocator (Knuth, The Art of Computer Programming, vol. 1,
 * 2.5) that gives back what a block has more than was asked for, and puts blocks that lie side by side together for
 * what is larger than any; small records of one size from slabs cut from such pages. Only the owner of the segment
 * allocates and frees. The books lie in private memory.
 *
 * Pages are committed before they are first used, by a call that reports a shortage: a page of /dev/shm that cannot be
 * backed would otherwise kill the process when it is first touched. With what is allocated free pages behind it
 * are committed, as many as were so far, up to 256 KiB: each time costs a system call, and each page as much as some
 * messages. Not thread-safe by itself.
 */
#ifndef MPISHM_HEAP_H
#define MPISHM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEAP_PAGE_SHIFT = 12, HEAP_ORDERS = 28 };

struct heap {
  char *base; /* page aligned */
  size_t pages;
  uint64_t *committed;    /* a bit per page */
  size_t committed_pages; /* how many of them are set */
  uint8_t *order_of;      /* per page: 0x80 | (1 + order) of a free block that starts there, 0x40: an allocated one */
  uint32_t free_head[HEAP_ORDERS]; /* 1 + page of the first free block of that order, 0: none */
  uint32_t *next, *previous;       /* 1 + page, of free blocks; next: pages of an allocated one */
};

/* Takes over [base, base + bytes); base is rounded up to a page. False when there is no private memory for the books.
 */
bool heap_init(struct heap *heap, void *base, size_t bytes);
/* Frees the books; the memory itself is the caller's. */
void heap_destroy(struct heap *heap);
/* `bytes` bytes (for 0, a page), page aligned and committed; NULL when the heap is full or the system is short of
 * memory. A block of 2^n pages, up to 1 MiB, is aligned to its size, counted from the heap's start. */
void *heap_allocate(struct heap *heap, size_t bytes);
/* The same, not committed: each part of it is to be, before it is used. */
void *heap_reserve(struct heap *heap, size_t bytes);
/* Commits the first `bytes` bytes of a block. False on shortage. */
bool heap_commit(struct heap *heap, void *block, size_t bytes);
/* The first run of committed pages at or behind `page`; *count: how many, 0: there is none. */
size_t heap_committed_run(const struct heap *heap, size_t page, size_t *count);
/* What such a block holds; 0 when `pointer`, which lies in the heap, is none. */
size_t heap_block_bytes(const struct heap *heap, const void *pointer);
void heap_free(struct heap *heap, void *pointer);

/* Commits [start, start + bytes), page aligned memory of a shared mapping. False on shortage. */
bool commit_pages(void *start, size_t bytes);

/* Records of one size, multiples of a cache line. */
struct slab {
  struct heap *heap;
  size_t record_bytes;
  void *free; /* chained through the records' first words */
};
/* One that is free already, or NULL. */
static inline void *slab_take(struct slab *slab) {
  void *record = slab->free;
  if (record)
    slab->free = *(void **)record;
  return record;
}
/* That, or one from a new block; NULL when there is none. */
void *slab_allocate(struct slab *slab);
/* Gives it more room, which stays its own. */
void slab_add(struct slab *slab, void *block, size_t bytes);
void slab_free(struct slab *slab, void *record);

#endif
