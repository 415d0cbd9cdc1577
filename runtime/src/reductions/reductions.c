/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Built-in operations on built-in datatypes of C. Not here: long double, whose padding is memory like any other, and
 * complex numbers, whose products libraries compute in their own ways.
 */
#include "reductions/reductions.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Buffers need not be aligned in the window's slots, nor in the program. */
#define COMBINE(name, type, statement)                                                                                 \
  static bool name##_##type(void *into, const void *from, size_t count) {                                              \
    bool doubt = false;                                                                                                \
    for (size_t i = 0; i < count; i++) {                                                                               \
      type a, b, r;                                                                                                    \
      memcpy(&a, (const char *)into + i * sizeof a, sizeof a);                                                         \
      memcpy(&b, (const char *)from + i * sizeof b, sizeof b);                                                         \
      statement;                                                                                                       \
      memcpy((char *)into + i * sizeof r, &r, sizeof r);                                                               \
    }                                                                                                                  \
    return doubt;                                                                                                      \
  }

/* Integers: sums as of unsigned numbers, which wrap as signed ones do in every library; but for those of less than 32
 * bits, which Open MPI 5 adds by instructions that saturate, or wraps, whichever the processor has. Extremes of
 * unsigned numbers as long as they are the same for signed ones, which MPICH 4.0.2 takes them for. */
#define SIGNED_INTEGER(type)                                                                                           \
  COMBINE(most, type, r = a > b ? a : b)                                                                               \
  COMBINE(least, type, r = a < b ? a : b)                                                                              \
  INTEGER(type)
#define UNSIGNED_INTEGER(type)                                                                                         \
  COMBINE(most, type, r = a > b ? a : b; doubt |= HAS_HIGHEST_BIT(type, a | b))                                        \
  COMBINE(least, type, r = a < b ? a : b; doubt |= HAS_HIGHEST_BIT(type, a | b))                                       \
  INTEGER(type)
#define HAS_HIGHEST_BIT(type, value) ((value) >> (sizeof(type) * CHAR_BIT - 1) != 0)
#define INTEGER(type)                                                                                                  \
  LOGICAL(type)                                                                                                        \
  BITWISE(type)
#define WRAPPING(type)                                                                                                 \
  COMBINE(sum, type, r = (type)((uint64_t)a + (uint64_t)b))                                                            \
  COMBINE(product, type, r = (type)((uint64_t)a * (uint64_t)b))
#define LOGICAL(type)                                                                                                  \
  COMBINE(logical_and, type, r = (type)(a && b))                                                                       \
  COMBINE(logical_or, type, r = (type)(a || b))                                                                        \
  COMBINE(logical_xor, type, r = (type)(!a != !b))
#define BITWISE(type)                                                                                                  \
  COMBINE(bit_and, type, r = (type)(a & b))                                                                            \
  COMBINE(bit_or, type, r = (type)(a | b))                                                                             \
  COMBINE(bit_xor, type, r = (type)(a ^ b))
/* Two operands may be exchanged, but for which of two NaNs it becomes. Of zeros of both signs, and of NaNs, an extreme
 * is whatever the library makes it. */
#define FLOATING(type, bits)                                                                                           \
  typedef type type##_vector __attribute__((vector_size(VECTOR_BYTES)));                                               \
  typedef bits type##_mask __attribute__((vector_size(VECTOR_BYTES)));                                                 \
  COMBINE_BY_VECTORS(sum, type, r = a + b; doubts |= r != r, r = a + b; doubt |= r != r)                               \
  COMBINE_BY_VECTORS(product, type, r = a * b; doubts |= r != r, r = a * b; doubt |= r != r)                           \
  COMBINE_BY_VECTORS(most, type, r = EITHER(type, a > b, a, b); doubts |= DO_NOT_TELL(type, a, b), r = a > b ? a : b;  \
                     doubt |= !TELLS(a, b))                                                                            \
  COMBINE_BY_VECTORS(least, type, r = EITHER(type, a < b, a, b); doubts |= DO_NOT_TELL(type, a, b), r = a < b ? a : b; \
                     doubt |= !TELLS(a, b))                                                                            \
  SETTLES(type)
#define TELLS(a, b) ((a) < (b) || (a) > (b) || ((a) == (b) && !signbit(a) == !signbit(b)))
/* Of vectors: bits are set where that is false, and those of one operand or the other. */
#define DO_NOT_TELL(type, a, b) (~(((a) < (b)) | ((a) > (b))) & (~((a) == (b)) | ((type##_mask)(a) ^ (type##_mask)(b))))
#define EITHER(type, mask, a, b) ((type##_vector)(((mask) & (type##_mask)(a)) | (~(mask) & (type##_mask)(b))))

/* With as many elements at a time as every processor of this kind has registers for: compilers do not find that by
 * themselves where they are looked at, too. */
enum { VECTOR_BYTES = 16 };
#define COMBINE_BY_VECTORS(name, type, of_vectors, of_one)                                                             \
  COMBINE(name##_rest, type, of_one)                                                                                   \
  static bool name##_##type(void *into, const void *from, size_t count) {                                              \
    const size_t bytes = count * sizeof(type);                                                                         \
    char *to = into;                                                                                                   \
    type##_mask doubts = {0};                                                                                          \
    size_t at = 0;                                                                                                     \
    for (; at + VECTOR_BYTES <= bytes; at += VECTOR_BYTES) {                                                           \
      type##_vector a, b, r;                                                                                           \
      memcpy(&a, to + at, sizeof a);                                                                                   \
      memcpy(&b, (const char *)from + at, sizeof b);                                                                   \
      of_vectors;                                                                                                      \
      memcpy(to + at, &r, sizeof r);                                                                                   \
    }                                                                                                                  \
    const bool doubt = name##_rest_##type(to + at, (const char *)from + at, (bytes - at) / sizeof(type));              \
    return doubt || !is_zero(&doubts);                                                                                 \
  }
static inline bool is_zero(const void *vector) {
  uint64_t words[VECTOR_BYTES / sizeof(uint64_t)];
  memcpy(words, vector, sizeof words);
  return !(words[0] | words[1]);
}

/* A sum or product that is none has the bits of the one operand that is none, quiet, or of none at all; which of two,
 * the order tells. */
#define SETTLES(type)                                                                                                  \
  static bool is_all_##type(const void *operand, size_t count) {                                                       \
    const size_t bytes = count * sizeof(type);                                                                         \
    type##_mask none = {0};                                                                                            \
    bool is_all = true;                                                                                                \
    size_t at = 0;                                                                                                     \
    for (; at + VECTOR_BYTES <= bytes; at += VECTOR_BYTES) {                                                           \
      type##_vector a;                                                                                                 \
      memcpy(&a, (const char *)operand + at, sizeof a);                                                                \
      none |= a != a;                                                                                                  \
    }                                                                                                                  \
    for (; at < bytes; at += sizeof(type)) {                                                                           \
      type a;                                                                                                          \
      memcpy(&a, (const char *)operand + at, sizeof a);                                                                \
      is_all &= a == a;                                                                                                \
    }                                                                                                                  \
    return is_all && is_zero(&none);                                                                                   \
  }

SIGNED_INTEGER(int8_t)
SIGNED_INTEGER(int16_t)
SIGNED_INTEGER(int32_t)
SIGNED_INTEGER(int64_t)
UNSIGNED_INTEGER(uint8_t)
UNSIGNED_INTEGER(uint16_t)
UNSIGNED_INTEGER(uint32_t)
UNSIGNED_INTEGER(uint64_t)
WRAPPING(int32_t)
WRAPPING(int64_t)
WRAPPING(uint32_t)
WRAPPING(uint64_t)
FLOATING(float, int32_t)
FLOATING(double, int64_t)

enum operation_kind { SUM, PRODUCT, MOST, LEAST, AND, OR, XOR, BIT_AND, BIT_OR, BIT_XOR, OPERATIONS };
enum element { I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, BOOLEAN, BYTE, ELEMENTS };

#define ORDINARY(name, type) {.combine = name##_##type, .bytes = sizeof(type)}
#define BITS_OF(type)                                                                                                  \
  [BIT_AND] = ORDINARY(bit_and, type), [BIT_OR] = ORDINARY(bit_or, type), [BIT_XOR] = ORDINARY(bit_xor, type)
#define LOGIC_OF(type)                                                                                                 \
  [AND] = ORDINARY(logical_and, type), [OR] = ORDINARY(logical_or, type), [XOR] = ORDINARY(logical_xor, type)
#define SUMS_OF(type) [SUM] = ORDINARY(sum, type), [PRODUCT] = ORDINARY(product, type)
#define EXTREMES_OF(type) [MOST] = ORDINARY(most, type), [LEAST] = ORDINARY(least, type)
#define DOUBTFUL(name, type) {.combine = name##_##type, .bytes = sizeof(type), .doubtful = true}
#define DOUBTFUL_EXTREMES_OF(type) [MOST] = DOUBTFUL(most, type), [LEAST] = DOUBTFUL(least, type)
#define DOUBTFUL_SIGN(name, type) {.combine = name##_##type, .bytes = sizeof(type), .doubtful = true, .any_order = true}
#define UNSIGNED_EXTREMES_OF(type) [MOST] = DOUBTFUL_SIGN(most, type), [LEAST] = DOUBTFUL_SIGN(least, type)
#define OF_TWO(name, type) {name##_##type, sizeof(type), true, true, false, is_all_##type, settled_##name##_##type}
#define NARROW_OF(type) EXTREMES_OF(type), LOGIC_OF(type), BITS_OF(type)
#define NARROW_UNSIGNED_OF(type) UNSIGNED_EXTREMES_OF(type), LOGIC_OF(type), BITS_OF(type)
#define SIGNED_OF(type) {SUMS_OF(type), NARROW_OF(type)}
#define UNSIGNED_OF(type) {SUMS_OF(type), NARROW_UNSIGNED_OF(type)}
#define FLOATING_OF(type) {[SUM] = OF_TWO(sum, type), [PRODUCT] = OF_TWO(product, type), DOUBTFUL_EXTREMES_OF(type)}

static const struct reduction reductions[ELEMENTS][OPERATIONS] = {
    [I8] = {NARROW_OF(int8_t)},      [U8] = {NARROW_UNSIGNED_OF(uint8_t)},
    [I16] = {NARROW_OF(int16_t)},    [U16] = {NARROW_UNSIGNED_OF(uint16_t)},
    [I32] = SIGNED_OF(int32_t),      [U32] = UNSIGNED_OF(uint32_t),
    [I64] = SIGNED_OF(int64_t),      [U64] = UNSIGNED_OF(uint64_t),
    [F32] = FLOATING_OF(float),      [F64] = FLOATING_OF(double),
    [BOOLEAN] = {LOGIC_OF(uint8_t)}, [BYTE] = {BITS_OF(uint8_t)},
};

#define SIGNED(type) (sizeof(type) == 1 ? I8 : sizeof(type) == 2 ? I16 : sizeof(type) == 4 ? I32 : I64)
#define UNSIGNED(type) (sizeof(type) == 1 ? U8 : sizeof(type) == 2 ? U16 : sizeof(type) == 4 ? U32 : U64)

static enum element find_element(MPI_Datatype datatype) {
  const struct {
    MPI_Datatype datatype;
    enum element element;
  } elements[] = {
      {MPI_DOUBLE, F64},
      {MPI_INT, SIGNED(int)},
      {MPI_FLOAT, F32},
      {MPI_LONG, SIGNED(long)},
      {MPI_UNSIGNED, UNSIGNED(unsigned)},
      {MPI_UNSIGNED_LONG, UNSIGNED(unsigned long)},
      {MPI_LONG_LONG, SIGNED(long long)},
      {MPI_UNSIGNED_LONG_LONG, UNSIGNED(unsigned long long)},
      {MPI_INT64_T, I64},
      {MPI_UINT64_T, U64},
      {MPI_INT32_T, I32},
      {MPI_UINT32_T, U32},
      {MPI_SHORT, SIGNED(short)},
      {MPI_UNSIGNED_SHORT, UNSIGNED(unsigned short)},
      {MPI_INT16_T, I16},
      {MPI_UINT16_T, U16},
      {MPI_SIGNED_CHAR, I8},
      {MPI_UNSIGNED_CHAR, U8},
      {MPI_INT8_T, I8},
      {MPI_UINT8_T, U8},
      {MPI_BYTE, BYTE},
      {MPI_C_BOOL, sizeof(_Bool) == 1 ? BOOLEAN : ELEMENTS},
      /* These are signed; but Open MPI 5.0 compares offsets as unsigned numbers. */
      {MPI_AINT, UNSIGNED(MPI_Aint)},
      {MPI_OFFSET, UNSIGNED(MPI_Offset)},
      {MPI_COUNT, UNSIGNED(MPI_Count)},
  };
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (elements[i].datatype == datatype)
      return elements[i].element;
  return ELEMENTS;
}

static enum operation_kind find_operation(MPI_Op op) {
  const MPI_Op ops[OPERATIONS] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                                  MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  enum operation_kind kind = 0;
  while (kind < OPERATIONS && ops[kind] != op)
    kind++;
  return kind;
}

static const struct reduction *look_up(MPI_Op op, MPI_Datatype datatype) {
  enum element element = find_element(datatype);
  enum operation_kind kind = find_operation(op);
  if (element == ELEMENTS || kind == OPERATIONS || !reductions[element][kind].combine)
    return NULL;
  return &reductions[element][kind];
}

/* The one that was asked for last: most programs use few, each for a while. */
static struct {
  bool known;
  MPI_Op op;
  MPI_Datatype datatype;
  const struct reduction *found;
} last_reduction;

const struct reduction *reduction_find(MPI_Op op, MPI_Datatype datatype) {
  if (!last_reduction.known || last_reduction.op != op || last_reduction.datatype != datatype) {
    last_reduction.found = look_up(op, datatype);
    last_reduction.op = op;
    last_reduction.datatype = datatype;
    last_reduction.known = true;
  }
  return last_reduction.found;
}
