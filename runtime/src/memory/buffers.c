/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "memory/buffers.h"

#include <stdlib.h>
#include <string.h>

/* A program that AddressSanitizer watches finds its errors with these buffers, too: what is free is poisoned. */
void __asan_poison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));

static void poison(const void *address, size_t bytes) {
  if (__asan_poison_memory_region)
    __asan_poison_memory_region(address, bytes);
}
static void unpoison(const void *address, size_t bytes) {
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(address, bytes);
}

/* Sizes of cells: multiples of a cache line, four to each power of two from 256 bytes on. */
static const uint16_t cell_bytes[BUFFER_CLASSES] = {64,  128, 192, 256,  320,  384,  448,  512,
                                                    640, 768, 896, 1024, 1280, 1536, 1792, 2048};
enum { LARGEST_CELL = 2048 };

static unsigned class_for(size_t bytes) {
  if (bytes <= 512)
    return bytes ? (unsigned)((bytes - 1) / 64) : 0;
  return bytes <= 1024 ? 8 + (unsigned)((bytes - 513) / 128) : 12 + (unsigned)((bytes - 1025) / 256);
}

bool buffers_init(struct buffers *buffers, void *base, size_t bytes) {
  memset(buffers, 0, sizeof *buffers);
  if (!heap_init(&buffers->pages, base, bytes))
    return false;
  buffers->runs = calloc((buffers->pages.pages >> RUN_SHIFT) + 1, sizeof *buffers->runs);
  if (!buffers->runs) {
    heap_destroy(&buffers->pages);
    return false;
  }
  poison(buffers->pages.base, buffers->pages.pages << HEAP_PAGE_SHIFT);
  return true;
}

void buffers_destroy(struct buffers *buffers) {
  unpoison(buffers->pages.base, buffers->pages.pages << HEAP_PAGE_SHIFT);
  heap_destroy(&buffers->pages);
  free(buffers->runs);
  buffers->runs = NULL;
}

/* ---- Runs. ---- */

static void link_run(struct buffers *buffers, uint32_t index) {
  struct run *run = &buffers->runs[index];
  uint32_t *head = &buffers->room[run->class_of - 1];
  run->next = *head;
  run->previous = 0;
  if (*head)
    buffers->runs[*head - 1].previous = index + 1;
  *head = index + 1;
}

static void unlink_run(struct buffers *buffers, uint32_t index) {
  struct run *run = &buffers->runs[index];
  if (run->previous)
    buffers->runs[run->previous - 1].next = run->next;
  else
    buffers->room[run->class_of - 1] = run->next;
  if (run->next)
    buffers->runs[run->next - 1].previous = run->previous;
}

static char *run_start(const struct buffers *buffers, uint32_t index) {
  return buffers->pages.base + (size_t)index * RUN_BYTES;
}

static bool add_run(struct buffers *buffers, unsigned class_index) {
  char *start = heap_allocate(&buffers->pages, RUN_BYTES);
  if (!start)
    return false;
  uint32_t index = (uint32_t)((size_t)(start - buffers->pages.base) / RUN_BYTES);
  struct run *run = &buffers->runs[index];
  *run =
      (struct run){.cells = (uint16_t)(RUN_BYTES / cell_bytes[class_index]), .class_of = (uint16_t)(class_index + 1)};
  for (unsigned cell = 0; cell < run->cells; cell++)
    run->free[cell / 64] |= UINT64_C(1) << cell % 64;
  link_run(buffers, index);
  return true;
}

static void *take_cell(struct buffers *buffers, unsigned class_index) {
  if (!buffers->room[class_index] && !add_run(buffers, class_index))
    return NULL;
  uint32_t index = buffers->room[class_index] - 1;
  struct run *run = &buffers->runs[index];
  unsigned word = 0;
  while (!run->free[word])
    word++;
  unsigned bit = (unsigned)__builtin_ctzll(run->free[word]);
  run->free[word] &= ~(UINT64_C(1) << bit);
  if (++run->used == run->cells)
    unlink_run(buffers, index);
  return run_start(buffers, index) + (size_t)(word * 64 + bit) * cell_bytes[class_index];
}

/* The cell that starts at `pointer`, when it is in use; else -1. */
static int used_cell(const struct buffers *buffers, uint32_t index, const void *pointer) {
  const struct run *run = &buffers->runs[index];
  size_t offset = (size_t)((const char *)pointer - run_start(buffers, index)), size = cell_bytes[run->class_of - 1];
  size_t cell = offset / size;
  bool in_use = offset % size == 0 && cell < run->cells && !(run->free[cell / 64] >> cell % 64 & 1);
  return in_use ? (int)cell : -1;
}

static bool give_cell(struct buffers *buffers, uint32_t index, const void *pointer) {
  struct run *run = &buffers->runs[index];
  int cell = used_cell(buffers, index, pointer);
  if (cell < 0)
    return false;
  poison(pointer, cell_bytes[run->class_of - 1]);
  run->free[cell / 64] |= UINT64_C(1) << cell % 64;
  if (run->used-- == run->cells)
    link_run(buffers, index);
  /* The last run with room stays, for a program that allocates and frees in turns. */
  if (run->used == 0 && (run->next || run->previous)) {
    unlink_run(buffers, index);
    run->class_of = 0;
    heap_free(&buffers->pages, run_start(buffers, index));
  }
  return true;
}

/* ---- Pieces. ---- */

static uint32_t run_of(const struct buffers *buffers, const void *pointer) {
  return (uint32_t)((size_t)((const char *)pointer - buffers->pages.base) / RUN_BYTES);
}

void *buffers_allocate(struct buffers *buffers, size_t alignment, size_t bytes) {
  void *memory = NULL;
  if (bytes <= LARGEST_CELL && alignment <= BUFFER_ALIGNMENT)
    memory = take_cell(buffers, class_for(bytes));
  else if (alignment <= (size_t)1 << HEAP_PAGE_SHIFT)
    memory = heap_allocate(&buffers->pages, bytes ? bytes : 1);
  if (memory)
    unpoison(memory, bytes);
  return memory;
}

static size_t piece_bytes(const struct buffers *buffers, const void *pointer) {
  uint32_t index = run_of(buffers, pointer);
  if (!buffers->runs[index].class_of)
    return heap_block_bytes(&buffers->pages, pointer);
  return used_cell(buffers, index, pointer) < 0 ? 0 : cell_bytes[buffers->runs[index].class_of - 1];
}

bool buffers_resize(struct buffers *buffers, void *pointer, size_t bytes, size_t *holds) {
  *holds = piece_bytes(buffers, pointer);
  unpoison(pointer, *holds);
  if (bytes > *holds || (*holds > LARGEST_CELL && bytes < *holds / 2))
    return false;
  poison((char *)pointer + bytes, *holds - bytes);
  return true;
}

bool buffers_free(struct buffers *buffers, void *pointer) {
  uint32_t index = run_of(buffers, pointer);
  if (buffers->runs[index].class_of)
    return give_cell(buffers, index, pointer);
  size_t bytes = heap_block_bytes(&buffers->pages, pointer);
  if (bytes == 0)
    return false;
  poison(pointer, bytes);
  heap_free(&buffers->pages, pointer);
  return true;
}
