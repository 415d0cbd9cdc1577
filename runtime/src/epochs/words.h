/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Words of a window's memory, of 1, 2, 4 or 8 bytes, changed by the processor's atomic instructions, between word_begin
 * and word_end (epochs/epochs.h). w, r: members that change them so, acquire and release; and by plain accesses who has
 * the latch, which orders all of the others before these or after them. Knows nothing of MPI.
 */
#ifndef MPISHM_WINDOW_WORDS_H
#define MPISHM_WINDOW_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whatever the program has there. */
typedef uint8_t __attribute__((may_alias)) word_8;
typedef uint16_t __attribute__((may_alias)) word_16;
typedef uint32_t __attribute__((may_alias)) word_32;
typedef uint64_t __attribute__((may_alias)) word_64;

static inline bool is_word(const void *place, size_t bytes) {
  return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && ((uintptr_t)place & (bytes - 1)) == 0;
}

/* Its line may begin to come, to be written. Without the option for a processor that has it, a compiler makes that one
 * to be read, which would come a second time; where the processor has it not, it does nothing. */
static inline void word_is_next(const void *place) {
#ifdef __x86_64__
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)place));
#else
  __builtin_prefetch(place, 1);
#endif
}

/* One of these for each size. NOLINTBEGIN(bugprone-macro-parentheses) */
#define FOR_WORD(bytes, DO)                                                                                            \
  switch (bytes) {                                                                                                     \
  case 8: {                                                                                                            \
    DO(word_64);                                                                                                       \
  } break;                                                                                                             \
  case 4: {                                                                                                            \
    DO(word_32);                                                                                                       \
  } break;                                                                                                             \
  case 2: {                                                                                                            \
    DO(word_16);                                                                                                       \
  } break;                                                                                                             \
  default: {                                                                                                           \
    DO(word_8);                                                                                                        \
  }                                                                                                                    \
  }
/* NOLINTEND(bugprone-macro-parentheses) */

static inline void word_load(const void *place, void *into, size_t bytes) {
#define LOAD_WORD(type)                                                                                                \
  type found = __atomic_load_n((const type *)place, __ATOMIC_ACQUIRE);                                                 \
  memcpy(into, &found, sizeof found)
  FOR_WORD(bytes, LOAD_WORD)
#undef LOAD_WORD
}

/* `into` may be NULL. */
static inline void word_exchange(void *place, const void *from, void *into, size_t bytes) {
#define EXCHANGE_WORD(type)                                                                                            \
  type desired;                                                                                                        \
  memcpy(&desired, from, sizeof desired);                                                                              \
  desired = __atomic_exchange_n((type *)place, desired, __ATOMIC_ACQ_REL);                                             \
  if (into)                                                                                                            \
  memcpy(into, &desired, sizeof desired)
  FOR_WORD(bytes, EXCHANGE_WORD)
#undef EXCHANGE_WORD
}

/* False: something else than expected is there, which `expected` is then. */
static inline bool word_swap(void *place, void *expected, const void *desired, size_t bytes) {
  bool done;
#define SWAP_WORD(type)                                                                                                \
  type found, other;                                                                                                   \
  memcpy(&found, expected, sizeof found);                                                                              \
  memcpy(&other, desired, sizeof other);                                                                               \
  done = __atomic_compare_exchange_n((type *)place, &found, other, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);         \
  memcpy(expected, &found, sizeof found)
  FOR_WORD(bytes, SWAP_WORD)
#undef SWAP_WORD
  return done;
}

enum word_change { WORD_ADD, WORD_AND, WORD_OR, WORD_XOR, WORD_OTHERWISE };

/* By one instruction where nobody asks what was there: the word's line comes once, to be written. False: there is none
 * for that. `into` may be NULL. */
static inline bool word_change(void *place, enum word_change change, const void *operand, void *into, size_t bytes) {
#define CHANGE_WORD(type, name)                                                                                        \
  type mine;                                                                                                           \
  memcpy(&mine, operand, sizeof mine);                                                                                 \
  if (into) {                                                                                                          \
    type found = __atomic_fetch_##name((type *)place, mine, __ATOMIC_ACQ_REL);                                         \
    memcpy(into, &found, sizeof found);                                                                                \
  } else {                                                                                                             \
    __atomic_fetch_##name((type *)place, mine, __ATOMIC_ACQ_REL);                                                      \
  }
#define ADD_TO_WORD(type) CHANGE_WORD(type, add)
#define AND_WORD(type) CHANGE_WORD(type, and)
#define OR_WORD(type) CHANGE_WORD(type, or)
#define XOR_WORD(type) CHANGE_WORD(type, xor)
  switch (change) {
  case WORD_ADD:
    FOR_WORD(bytes, ADD_TO_WORD)
    return true;
  case WORD_AND:
    FOR_WORD(bytes, AND_WORD)
    return true;
  case WORD_OR:
    FOR_WORD(bytes, OR_WORD)
    return true;
  case WORD_XOR:
    FOR_WORD(bytes, XOR_WORD)
    return true;
  default:
    return false;
  }
#undef ADD_TO_WORD
#undef AND_WORD
#undef OR_WORD
#undef XOR_WORD
#undef CHANGE_WORD
}

#undef FOR_WORD
#endif
