/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/copy.h"
#include "base/attributes.h"

#ifdef __SSE2__
#include <emmintrin.h>
#include <stdbool.h>

/* A copy by the instruction for strings takes 15 to 20 times as long on AMD's Zen 3 where it goes to 1 to 31 bytes
 * behind what it comes from, the distance of their pages left out; Intel's Optimization Reference Manual warns of 1 to
 * 63 (fast short REP MOVSB). Far from rare: what malloc gives for a large array begins 16 bytes behind the start of a
 * page, at which copies in the window begin. */
enum { SHORT_DISTANCE = 64 };

/* The whole lines of so many bytes; returns how many bytes those are. */
static inline size_t copy_lines(char *to, const char *from, size_t bytes, bool streamed) {
  enum { VECTOR = sizeof(__m128i), VECTORS = 4, OF_A_LINE = VECTOR * VECTORS };
  size_t end = bytes - bytes % OF_A_LINE;
  for (size_t at = 0; at < end; at += OF_A_LINE) {
    __m128i line[VECTORS];
    for (int i = 0; i < VECTORS; i++)
      line[i] = _mm_loadu_si128((const void *)(from + at + (size_t)i * VECTOR));
    for (int i = 0; i < VECTORS; i++)
      if (streamed)
        _mm_stream_si128((void *)(to + at + (size_t)i * VECTOR), line[i]);
      else
        _mm_storeu_si128((void *)(to + at + (size_t)i * VECTOR), line[i]);
    __asm__("" ::: "memory"); /* else a compiler may take the loop for a memcpy, and call that */
  }
  return end;
}

NOINLINE void copy_long(void *to, const void *from, size_t bytes) {
  size_t distance = distance_in_page((uintptr_t)to, (uintptr_t)from);
  if (distance == 0 || distance >= SHORT_DISTANCE) {
    memcpy(to, from, bytes);
    return;
  }
  size_t lines = copy_lines(to, from, bytes, false);
  copy_bytes((char *)to + lines, (const char *)from + lines, bytes - lines);
}

NOINLINE void copy_streamed(void *to, const void *from, size_t bytes) {
  size_t lines = copy_lines(to, from, bytes, true);
  copy_bytes((char *)to + lines, (const char *)from + lines, bytes - lines);
  _mm_sfence(); /* such stores are not in the order of others */
}

#else
void copy_long(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
void copy_streamed(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
#endif
