/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reductions/sums.h"
#include "reductions/kinds.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sums of the library's. ---- */

static void put(const struct question *q, unsigned char *buffer, size_t i, double value) {
  float narrow = (float)value;
  if (q->kind->reduction->bytes == sizeof value)
    memcpy(buffer + i * sizeof value, &value, sizeof value);
  else
    memcpy(buffer + i * sizeof narrow, &narrow, sizeof narrow);
}

static double result_at(const struct question *q, size_t i) {
  double value;
  float narrow;
  if (q->kind->reduction->bytes == sizeof value) {
    memcpy(&value, q->result + i * sizeof value, sizeof value);
    return value;
  }
  memcpy(&narrow, q->result + i * sizeof narrow, sizeof narrow);
  return (double)narrow;
}

/* ---- The order. ---- */

/* Ones vanish beside it, and it in itself; it is a float, too. */
static const double LARGE = 0x1p100;

/* How many members' values are in the smallest part that has both, or 0: what the library has done tells none. */
static unsigned size_of_part(struct question *q, unsigned i, unsigned j, bool in_place) {
  unsigned members = q->communicator->seat.members, place = q->communicator->seat.place;
  double mine = place == i ? LARGE : place == j ? -LARGE : 1;
  for (size_t k = 0; k < q->kind->count; k++)
    put(q, q->given, k, mine);
  ask(q, in_place);
  if (!has_result(q))
    return 0;
  double left = result_at(q, 0);
  for (size_t k = 1; k < q->kind->count; k++)
    q->ok &= result_at(q, k) == left;
  for (unsigned size = 2; size <= members; size++)
    if (left == (double)(members - size))
      return size;
  return 0;
}

/* All members ask the same, whatever they find. */
static bool find_order(struct question *q, struct order *order) {
  unsigned members = q->communicator->seat.members;
  uint8_t sizes[ORDER_MEMBERS][ORDER_MEMBERS] = {{0}};
  for (unsigned i = 0; i < members; i++)
    for (unsigned j = i + 1; j < members; j++) {
      sizes[i][j] = (uint8_t)size_of_part(q, i, j, false);
      q->ok &= size_of_part(q, i, j, true) == sizes[i][j];
    }
  return q->ok && order_from_sizes(order, members, sizes);
}

/* ---- Whether it is the order. ---- */

enum { TRIALS = 8 };

/* Anything, of all sizes and signs; in one trial only negative zeros, in one numbers that are not normalised. (After
 * Steele, Lea, Flood: SplitMix, 2014.) */
static double value_of(unsigned trial, unsigned member, size_t i) {
  uint64_t z = ((uint64_t)trial << 40 | (uint64_t)member << 32 | i) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  double fraction = (double)(int32_t)(z >> 32) / 0x1p31;
  double scale = (double)(UINT64_C(1) << z % 40);
  return trial == 0 ? -0.0 : trial == 1 ? fraction * 0x1p-140 : fraction * scale;
}

/* The sum of the i-th elements, as the library has left it in the result. */
static bool is_sum(const struct question *q, const struct order *order, unsigned trial, size_t i) {
  const size_t bytes = q->kind->reduction->bytes;
  unsigned char values[ORDER_MEMBERS][sizeof(double)];
  for (unsigned member = 0; member < order->members; member++)
    put(q, values[member], 0, value_of(trial, member, i));
  for (unsigned step = 0; step + 1 < order->members; step++)
    q->kind->reduction->combine(values[order->steps[step].into], values[order->steps[step].from], 1);
  return memcmp(values[0], q->result + i * bytes, bytes) == 0;
}

/* Of many elements not all are looked at: that each is added in this order the sums have told that found it. */
static bool is_order(struct question *q, const struct order *order) {
  enum { MOST_LOOKED_AT = 1024 };
  const size_t stride = 1 + q->kind->count / MOST_LOOKED_AT;
  bool is = order->members > 0;
  for (unsigned trial = 0; trial < TRIALS; trial++) {
    for (size_t i = 0; i < q->kind->count; i++)
      put(q, q->given, i, value_of(trial, q->communicator->seat.place, i));
    ask(q, trial % 2);
    for (size_t i = trial % stride; is && has_result(q) && i < q->kind->count; i += stride)
      is = is_sum(q, order, trial, i);
  }
  return is && q->ok;
}

/* A number for the order, other than 0. */
static long long name_of(const struct order *order) {
  uint64_t name = 0xcbf29ce484222325;
  for (unsigned i = 0; i + 1 < order->members; i++)
    name = (name ^ (uint64_t)(order->steps[i].into << 8 | order->steps[i].from)) * 0x100000001b3;
  return (long long)(name >> 2) + 1;
}

/* ---- Kinds of sums. ---- */

enum { MOST_SUMMED = 1 << 20 }; /* bytes of what is looked into: the memory that takes, twice */

static unsigned calls_to_find(unsigned members) { return members * (members - 1) + TRIALS; }

/* Only the root has seen sums, but all may combine some of them. */
static void tell_order(struct communicator *communicator, struct order *order, unsigned root) {
  struct collective collective = collective_begin(communicator);
  const struct part part = {.piece = (char *)order, .count = sizeof *order, .bytes = sizeof *order};
  collective.is_rooted = true;
  if (communicator->seat.place == root)
    publish_part(&collective, &part, PUBLISH_TO_ALL);
  else
    take_part(&collective, hear(&collective, root), root, &part);
  collective_end_of_root(&collective, root, SLOT_DATA);
}

static void look_into_sums(struct communicator *communicator, struct kind *sum, MPI_Datatype datatype, MPI_Op op) {
  const size_t bytes = sum->count * sum->reduction->bytes;
  unsigned char *buffers = malloc(2 * bytes);
  if (collective_agree(communicator, !buffers)) {
    free(buffers);
    sum->state = KIND_UNKNOWN;
    return;
  }
  struct question q = {communicator, sum, datatype, op, buffers, buffers + bytes, true};
  struct order order = {0};
  if (!find_order(&q, &order))
    order.members = 0;
  bool found = is_order(&q, &order);
  sum->state = all_found(&q, found, name_of(&order)) ? KIND_FOUND : KIND_UNKNOWN;
  if (sum->state == KIND_FOUND && sum->root != ALL_ROOTS)
    tell_order(communicator, &order, (unsigned)sum->root);
  sum->order = order;
  free(buffers);
}

const struct order *sum_order(struct communicator *communicator, const struct reduction *reduction, MPI_Count count,
                              MPI_Datatype datatype, MPI_Op op, int root) {
  const struct seat *seat = &communicator->seat;
  if (seat->members > ORDER_MEMBERS || (size_t)count > MOST_SUMMED / reduction->bytes)
    return NULL;
  struct kind *sum = kind_find(communicator, reduction, count, root);
  if (!sum)
    return NULL;
  if (UNLIKELY(sum->state == KIND_UNDECIDED)) {
    if (sum->calls++ < calls_to_find(seat->members))
      return NULL;
    look_into_sums(communicator, sum, datatype, op);
  }
  return sum->state == KIND_FOUND ? &sum->order : NULL;
}
