/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * memcpy for messages, most of which are small: up to 64 bytes it costs a few moves and no call.
 */
#ifndef MPISHM_COPY_H
#define MPISHM_COPY_H

#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The first and the last half of the bytes, which overlap unless there are just 2 * HALF of them. */
#define COPY_HALVES(HALF)                                                                                              \
  do {                                                                                                                 \
    struct half {                                                                                                      \
      unsigned char bytes[HALF];                                                                                       \
    } first, last;                                                                                                     \
    memcpy(&first, from, HALF);                                                                                        \
    memcpy(&last, (const char *)from + bytes - (HALF), HALF);                                                          \
    memcpy(to, &first, HALF);                                                                                          \
    memcpy((char *)to + bytes - (HALF), &last, HALF);                                                                  \
  } while (0)

/* 32 to 64 bytes: both halves in two parts each, which stay in registers. */
static inline void copy_up_to_a_line(void *to, const void *from, size_t bytes) {
  enum { PART = 16 };
  struct part {
    unsigned char bytes[PART];
  } first, second, third, last;
  const char *end = (const char *)from + bytes;
  memcpy(&first, from, PART);
  memcpy(&second, (const char *)from + PART, PART);
  memcpy(&third, end - (ptrdiff_t)2 * PART, PART);
  memcpy(&last, end - PART, PART);
  memcpy(to, &first, PART);
  memcpy((char *)to + PART, &second, PART);
  memcpy((char *)to + bytes - (ptrdiff_t)2 * PART, &third, PART);
  memcpy((char *)to + bytes - PART, &last, PART);
}

/* The two do not overlap. With 0 bytes neither pointer is used. */
static inline void copy_bytes(void *to, const void *from, size_t bytes) {
  if (bytes > 16) { /* the most frequent sizes first */
    if (bytes > 64)
      memcpy(to, from, bytes);
    else if (bytes > 32)
      copy_up_to_a_line(to, from, bytes);
    else
      COPY_HALVES(16);
  } else if (bytes >= 8) {
    COPY_HALVES(8);
  } else if (bytes >= 4) {
    COPY_HALVES(4);
  } else {
    for (size_t i = 0; i < bytes; i++)
      ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
  }
}

/* By stores that pass the caches by, so that no line is fetched, or taken from another core, to be written: where one
 * of those is dear, that is several times as fast, and else slower. `to` begins with a cache line. What is stored is
 * there for whoever sees what this thread releases afterwards. */
static inline void copy_streamed(void *to, const void *from, size_t bytes) {
#ifdef __SSE2__
  enum { VECTOR = sizeof(__m128i), VECTORS = 4, OF_A_LINE = VECTOR * VECTORS };
  const char *in = from;
  char *out = to;
  for (; bytes >= OF_A_LINE; bytes -= OF_A_LINE)
    for (int i = 0; i < VECTORS; i++, in += VECTOR, out += VECTOR)
      _mm_stream_si128((void *)out, _mm_loadu_si128((const void *)in));
  copy_bytes(out, in, bytes);
  _mm_sfence(); /* such stores are not in the order of others */
#else
  memcpy(to, from, bytes);
#endif
}

#endif
