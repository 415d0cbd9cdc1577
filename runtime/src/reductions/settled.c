/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reductions/settled.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* So many bytes are looked at, and then combined: what is no number is rare, and found before anything is written. */
enum { SETTLED_BLOCK = 64, NARROW = 16, WIDE = 32 };

#define SETTLED_VECTORS(width)                                                                                         \
  typedef float float_##width __attribute__((vector_size(width)));                                                     \
  typedef double double_##width __attribute__((vector_size(width)));                                                   \
  typedef int32_t none_float_##width __attribute__((vector_size(width)));                                              \
  typedef int64_t none_double_##width __attribute__((vector_size(width)));
SETTLED_VECTORS(NARROW)
SETTLED_VECTORS(WIDE)

/* Whether any bit of a vector of integers is set. */
#ifdef __x86_64__
#include <immintrin.h>
#define FOR_WIDE __attribute__((target("avx2")))
static inline bool any_NARROW(const void *none) { return _mm_movemask_epi8(_mm_loadu_si128(none)) != 0; }
FOR_WIDE static inline bool any_WIDE(const void *none) { return _mm256_movemask_epi8(_mm256_loadu_si256(none)) != 0; }
#else
static inline bool any_NARROW(const void *none) {
  uint64_t words[NARROW / sizeof(uint64_t)];
  memcpy(words, none, sizeof words);
  return (words[0] | words[1]) != 0;
}
#endif

#define SETTLED_BLOCKS(name, type, operator, width, target)                                                            \
  target static size_t name##_##width(char *to, const char *from, size_t bytes) {                                      \
    enum { VECTORS_OF_BLOCK = SETTLED_BLOCK / sizeof(type##_##width) };                                                \
    size_t at = 0;                                                                                                     \
    for (; at + SETTLED_BLOCK <= bytes; at += SETTLED_BLOCK) {                                                         \
      type##_##width a, b[VECTORS_OF_BLOCK];                                                                           \
      none_##type##_##width none = {0};                                                                                \
      for (unsigned i = 0; i < VECTORS_OF_BLOCK; i++) {                                                                \
        memcpy(&b[i], from + at + i * sizeof b[i], sizeof b[i]);                                                       \
        none |= b[i] != b[i];                                                                                          \
      }                                                                                                                \
      if (any_##width(&none))                                                                                          \
        return at;                                                                                                     \
      for (unsigned i = 0; i < VECTORS_OF_BLOCK; i++) {                                                                \
        memcpy(&a, to + at + i * sizeof a, sizeof a);                                                                  \
        a = a operator b[i];                                                                                           \
        memcpy(to + at + i * sizeof a, &a, sizeof a);                                                                  \
      }                                                                                                                \
    }                                                                                                                  \
    return at;                                                                                                         \
  }

#ifdef __x86_64__
#define ALL_SETTLED_BLOCKS(name, type, operator)                                                                       \
  SETTLED_BLOCKS(name, type, operator, NARROW, )                                                                       \
  SETTLED_BLOCKS(name, type, operator, WIDE, FOR_WIDE)                                                                 \
  static size_t name##_blocks(char *to, const char *from, size_t bytes) {                                              \
    return __builtin_cpu_supports("avx2") ? name##_WIDE(to, from, bytes) : name##_NARROW(to, from, bytes);             \
  }
#else
#define ALL_SETTLED_BLOCKS(name, type, operator)                                                                       \
  SETTLED_BLOCKS(name, type, operator, NARROW, )                                                                       \
  static size_t name##_blocks(char *to, const char *from, size_t bytes) { return name##_NARROW(to, from, bytes); }
#endif

#define SETTLED(name, type, operator)                                                                                  \
  ALL_SETTLED_BLOCKS(name, type, operator)                                                                             \
  size_t name(void *into, const void *from, size_t count) {                                                            \
    size_t bytes = count * sizeof(type), at = name##_blocks(into, from, bytes);                                        \
    for (; at < bytes; at += sizeof(type)) {                                                                           \
      type a, b;                                                                                                       \
      memcpy(&b, (const char *)from + at, sizeof b);                                                                   \
      if (b != b)                                                                                                      \
        break;                                                                                                         \
      memcpy(&a, (char *)into + at, sizeof a);                                                                         \
      a = a operator b;                                                                                                \
      memcpy((char *)into + at, &a, sizeof a);                                                                         \
    }                                                                                                                  \
    return at / sizeof(type);                                                                                          \
  }

SETTLED(settled_sum_float, float, +)
SETTLED(settled_sum_double, double, +)
SETTLED(settled_product_float, float, *)
SETTLED(settled_product_double, double, *)
