/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * memcpy for messages, most of which are small: up to 64 bytes it costs a few moves and no call.
 */
#ifndef MPISHM_COPY_H
#define MPISHM_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* How far behind `from` a copy goes, whole pages left out: what the instruction for strings is slow by (copy.c). */
static inline size_t distance_in_page(uintptr_t to, uintptr_t from) { return (to - from) % 4096; }

/* memcpy, but for the distances at which that is slow (copy.c). Both do not overlap. */
void copy_long(void *to, const void *from, size_t bytes);
/* So many bytes a C library may copy by the processor's instruction for strings. */
enum { COPIED_BY_STRINGS = 2048 };

/* memcpy where most are not small. */
static inline void copy_longer(void *to, const void *from, size_t bytes) {
  if (bytes >= COPIED_BY_STRINGS)
    copy_long(to, from, bytes);
  else
    memcpy(to, from, bytes);
}

/* The two do not overlap. With 0 bytes neither pointer is used. */
static inline void copy_bytes(void *to, const void *from, size_t bytes) {
  if (bytes > 16) { /* the most frequent sizes first */
    if (bytes > 64)
      copy_longer(to, from, bytes);
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
void copy_streamed(void *to, const void *from, size_t bytes);

#endif
