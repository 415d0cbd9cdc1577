/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The program's heap in the window: MPISHM_Malloc and relatives (mpishm.h). Thread safety: any thread.
 */
#ifndef MPISHM_PROGRAM_HEAP_H
#define MPISHM_PROGRAM_HEAP_H

#include "node/program_arrays.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Where the program's buffers in the window lie in this process: their pages are mapped once more, at an address that
 * stays theirs when MPI takes the window away. Written once; `bytes` last and with release, since any thread may free.
 */
struct buffer_range {
  char *start;
  _Atomic size_t bytes; /* 0: there are none */
  uint64_t offset;      /* of the same bytes in the segment */
};
extern struct buffer_range buffer_range;
/* Opens the program's heap in `bytes` bytes at `offset` of the own segment, once. Where that cannot be the program's
 * buffers stay private. */
void memory_open(uint64_t offset, size_t bytes);
/* Whole pages, which no sanitizer watches. */
void copy_pages(volatile uint64_t *to, const volatile uint64_t *from, size_t bytes);
/* Zeroed private pages, at `start` with MAP_FIXED among the flags of mmap(2); or MAP_FAILED. */
void *map_private(void *start, size_t bytes, int flags);
/* In a child of fork: replaces shared pages by private ones with the same content. */
void make_pages_private(char *start, size_t bytes);
/* From now on memory comes from the C library. What was allocated stays as it is until the process ends. */
void memory_close(void);

/* Offset of [pointer, pointer + bytes) in the own segment when it lies in the program's heap there, else 0. */
static inline uint64_t heap_offset(const void *pointer, size_t bytes) {
  size_t room = atomic_load_explicit(&buffer_range.bytes, memory_order_acquire);
  uintptr_t at = (uintptr_t)pointer - (uintptr_t)buffer_range.start;
  return at < room && bytes <= room - at ? buffer_range.offset + at : 0;
}

/* The same for all buffers of the program's that lie there: also its arrays. */
static inline uint64_t buffer_offset(const void *pointer, size_t bytes) {
  uint64_t offset = heap_offset(pointer, bytes);
  size_t room = atomic_load_explicit(&array_hull.bytes, memory_order_acquire);
  return offset == 0 && (uintptr_t)pointer - array_hull.start < room ? array_offset((uintptr_t)pointer, bytes) : offset;
}

#endif
