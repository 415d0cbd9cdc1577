/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "memory/heap.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 1 << HEAP_PAGE_SHIFT, FREE_MARK = 0x80, USED_MARK = 0x40, SLAB_BYTES = 4 * PAGE };
enum { ALIGNED_PAGES = 256, LAST_STEP_PAGES = 64, WORD_BITS = 64, HUGE_PAGE = 2 << 20 };

/* ---- Committing. ---- */

static sigjmp_buf touch_failed;
static void on_sigbus(int signal_number) {
  (void)signal_number;
  siglongjmp(touch_failed, 1);
}

/* For kernels before 5.14, which have no call that commits and reports: touch every page and catch the signal. */
static bool touch_pages(char *start, size_t bytes) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_sigbus;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGBUS, &action, &before) != 0)
    return false;
  bool ok = sigsetjmp(touch_failed, 1) == 0;
  if (ok)
    for (size_t i = 0; i < bytes; i += PAGE)
      *(volatile char *)(start + i) = 0;
  sigaction(SIGBUS, &before, NULL);
  return ok;
}

/* Asks for huge pages where whole ones are committed: a populated part of one would take all of it. Only a /dev/shm
 * that is mounted with huge=advise, or more, gives them; elsewhere this does nothing, or is refused. */
static void ask_for_huge_pages(char *start, size_t bytes) {
#ifdef MADV_HUGEPAGE
  uintptr_t first = ((uintptr_t)start + HUGE_PAGE - 1) & -(uintptr_t)HUGE_PAGE,
            end = ((uintptr_t)start + bytes) & -(uintptr_t)HUGE_PAGE;
  if (first < end)
    madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
  (void)start, (void)bytes;
#endif
}

bool commit_pages(void *start, size_t bytes) {
  ask_for_huge_pages(start, bytes);
#ifdef MADV_POPULATE_WRITE
  int rc;
  do
    rc = madvise(start, bytes, MADV_POPULATE_WRITE);
  while (rc != 0 && (errno == EINTR || errno == EAGAIN));
  if (rc == 0)
    return true;
  if (errno != EINVAL)
    return false;
#endif
  return touch_pages(start, bytes);
}

/* ---- Buddies. A block of order n is 2^n pages, aligned to its size from the heap's start. ---- */

static void push_free(struct heap *heap, uint32_t page, unsigned order) {
  uint32_t head = heap->free_head[order];
  heap->order_of[page] = (uint8_t)(FREE_MARK | (order + 1));
  heap->next[page] = head;
  heap->previous[page] = 0;
  if (head)
    heap->previous[head - 1] = page + 1;
  heap->free_head[order] = page + 1;
}

static void remove_free(struct heap *heap, uint32_t page, unsigned order) {
  uint32_t next = heap->next[page], previous = heap->previous[page];
  if (previous)
    heap->next[previous - 1] = next;
  else
    heap->free_head[order] = next;
  if (next)
    heap->previous[next - 1] = previous;
  heap->order_of[page] = 0;
}

bool heap_init(struct heap *heap, void *base, size_t bytes) {
  memset(heap, 0, sizeof *heap);
  uintptr_t start = ((uintptr_t)base + PAGE - 1) & ~(uintptr_t)(PAGE - 1), end = (uintptr_t)base + bytes;
  heap->base = (char *)start;
  heap->pages = end > start ? (end - start) >> HEAP_PAGE_SHIFT : 0;
  if (heap->pages >= UINT32_MAX)
    heap->pages = UINT32_MAX - 1;
  heap->order_of = calloc(heap->pages + 1, 1);
  heap->next = malloc((heap->pages + 1) * sizeof *heap->next);
  heap->previous = malloc((heap->pages + 1) * sizeof *heap->previous);
  heap->committed = calloc(heap->pages / WORD_BITS + 1, sizeof *heap->committed);
  if (!heap->order_of || !heap->next || !heap->previous || !heap->committed) {
    heap_destroy(heap);
    return false;
  }
  /* Large blocks first: the low end, which is committed first, must be the one handed out first. */
  size_t page = heap->pages;
  for (unsigned order = 0; page > 0 && order < HEAP_ORDERS; order++)
    if (page >> order & 1) {
      page -= (size_t)1 << order;
      push_free(heap, (uint32_t)page, order);
    }
  return true;
}

void heap_destroy(struct heap *heap) {
  free(heap->order_of);
  free(heap->next);
  free(heap->previous);
  free(heap->committed);
  memset(heap, 0, sizeof *heap);
}

static char *page_address(const struct heap *heap, size_t page) { return heap->base + (page << HEAP_PAGE_SHIFT); }
static uint32_t page_of(const struct heap *heap, const void *pointer) {
  return (uint32_t)((size_t)((const char *)pointer - heap->base) >> HEAP_PAGE_SHIFT);
}

/* Lowest page of a free block of at least `order`: keeps the committed part small. */
static uint32_t find_block(const struct heap *heap, unsigned order) {
  uint32_t best = 0;
  for (unsigned o = order; o < HEAP_ORDERS; o++)
    if (heap->free_head[o] && (!best || heap->free_head[o] < best))
      best = heap->free_head[o];
  return best;
}

/* Pages of the free block that starts at `page`; 0: it is none. */
static size_t free_pages(const struct heap *heap, size_t page) {
  unsigned mark = heap->order_of[page];
  return mark & FREE_MARK ? (size_t)1 << ((mark & ~(unsigned)FREE_MARK) - 1) : 0;
}

/* The first free blocks side by side that have so many pages together: a heap of 64 MiB without its first page has no
 * block of 64 MiB, and one of 32 MiB only. */
static uint32_t find_run(const struct heap *heap, size_t pages) {
  size_t start = 0;
  for (size_t page = 0; page < heap->pages;) {
    size_t size = free_pages(heap, page);
    if (size && page + size - start >= pages)
      return (uint32_t)start + 1;
    if (!size)
      start = page + heap->next[page];
    page = size ? page + size : start;
  }
  return 0;
}

/* ---- Which pages are committed. ---- */

/* The first page of [page, end) that is, or is not; `end`: none. */
static size_t find_page(const struct heap *heap, size_t page, size_t end, bool committed) {
  while (page < end) {
    uint64_t word = heap->committed[page / WORD_BITS];
    uint64_t rest = (committed ? word : ~word) >> page % WORD_BITS;
    if (rest) {
      page += (size_t)__builtin_ctzll(rest);
      break;
    }
    page = (page / WORD_BITS + 1) * WORD_BITS;
  }
  return page < end ? page : end;
}

static bool commit_range(struct heap *heap, size_t page, size_t end) {
  if (!commit_pages(page_address(heap, page), (end - page) << HEAP_PAGE_SHIFT))
    return false;
  heap->committed_pages += end - page;
  for (; page < end; page++)
    heap->committed[page / WORD_BITS] |= UINT64_C(1) << page % WORD_BITS;
  return true;
}

/* Where to commit up to instead of `end`: a step further from `page` on, into the free pages that follow. */
static size_t step_further(const struct heap *heap, size_t page, size_t end) {
  size_t step = heap->committed_pages < LAST_STEP_PAGES ? heap->committed_pages : LAST_STEP_PAGES;
  size_t further = end, free;
  while (further < page + step && (free = free_pages(heap, further)) > 0)
    further += free;
  if (further > page + step)
    further = page + step > end ? page + step : end;
  return find_page(heap, end, further, true);
}

/* Commits what is not of [page, end), and with its last part a step further, if that is asked for and there is memory.
 */
static bool commit(struct heap *heap, size_t page, size_t end, bool further) {
  for (page = find_page(heap, page, end, false); page < end; page = find_page(heap, page, end, false)) {
    size_t stop = find_page(heap, page, end, true), far = further ? step_further(heap, page, stop) : stop;
    if (!(far > stop && commit_range(heap, page, far)) && !commit_range(heap, page, stop))
      return false;
  }
  return true;
}

/* ---- Blocks. ---- */

/* Takes free blocks from `page` on, which have `pages` pages together, or more. Returns how many. */
static size_t take_blocks(struct heap *heap, uint32_t page, size_t pages) {
  size_t taken = 0, size;
  for (; taken < pages; taken += size) {
    size = free_pages(heap, page + taken);
    remove_free(heap, page + (uint32_t)taken, (unsigned)__builtin_ctzl(size));
  }
  return taken;
}

/* Gives back `pages` pages from `page` on as free blocks, the largest that their places allow. */
static void push_pages(struct heap *heap, uint32_t page, size_t pages, bool merge) {
  while (pages > 0) {
    unsigned order = page ? (unsigned)__builtin_ctz(page) : HEAP_ORDERS - 1;
    while (order >= HEAP_ORDERS || (size_t)1 << order > pages)
      order--;
    uint32_t block = page, size = 1u << order;
    for (; merge && order + 1 < HEAP_ORDERS; order++) {
      uint32_t buddy = block ^ (1u << order);
      if (buddy >= heap->pages || heap->order_of[buddy] != (FREE_MARK | (order + 1)))
        break;
      remove_free(heap, buddy, order);
      block &= ~(1u << order);
    }
    push_free(heap, block, order);
    page += size;
    pages -= size;
  }
}

static size_t pages_for(size_t bytes) { return bytes ? bytes / PAGE + (bytes % PAGE != 0) : 1; }

void *heap_reserve(struct heap *heap, size_t bytes) {
  size_t pages = pages_for(bytes);
  unsigned order = 0;
  while (order < HEAP_ORDERS && (size_t)1 << order < pages)
    order++;
  uint32_t block = order < HEAP_ORDERS ? find_block(heap, order) : 0;
  if (!block && pages > ALIGNED_PAGES)
    block = find_run(heap, pages);
  if (!block)
    return NULL;
  uint32_t page = block - 1;
  size_t taken = take_blocks(heap, page, pages);
  heap->order_of[page] = USED_MARK;
  heap->next[page] = (uint32_t)pages;
  push_pages(heap, page + (uint32_t)pages, taken - pages, false); /* their buddies are not free */
  return page_address(heap, page);
}

bool heap_commit(struct heap *heap, void *block, size_t bytes) {
  size_t page = page_of(heap, block);
  return commit(heap, page, page + pages_for(bytes), false);
}

void *heap_allocate(struct heap *heap, size_t bytes) {
  char *block = heap_reserve(heap, bytes);
  if (!block)
    return NULL;
  size_t page = page_of(heap, block);
  if (commit(heap, page, page + pages_for(bytes), true))
    return block;
  heap_free(heap, block);
  return NULL;
}

size_t heap_committed_run(const struct heap *heap, size_t page, size_t *count) {
  size_t start = find_page(heap, page, heap->pages, true);
  *count = find_page(heap, start, heap->pages, false) - start;
  return start;
}

size_t heap_block_bytes(const struct heap *heap, const void *pointer) {
  size_t offset = (size_t)((const char *)pointer - heap->base), page = offset >> HEAP_PAGE_SHIFT;
  return offset % PAGE == 0 && heap->order_of[page] == USED_MARK ? (size_t)heap->next[page] << HEAP_PAGE_SHIFT : 0;
}

void heap_free(struct heap *heap, void *pointer) {
  uint32_t page = page_of(heap, pointer);
  heap->order_of[page] = 0;
  push_pages(heap, page, heap->next[page], true);
}

/* ---- Slabs. ---- */

void slab_free(struct slab *slab, void *record) {
  *(void **)record = slab->free;
  slab->free = record;
}

/* Cut into records, chained in address order. */
void slab_add(struct slab *slab, void *block, size_t bytes) {
  for (size_t n = bytes / slab->record_bytes; n-- > 0;)
    slab_free(slab, (char *)block + n * slab->record_bytes);
}

void *slab_allocate(struct slab *slab) {
  void *block = slab->free ? NULL : heap_allocate(slab->heap, SLAB_BYTES);
  if (block)
    slab_add(slab, block, SLAB_BYTES);
  return slab_take(slab);
}
