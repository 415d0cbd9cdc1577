/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "orders/order.h"

/* Parts of the tree as they grow, each known by its first member. */
struct parts {
  unsigned members;
  uint8_t first[ORDER_MEMBERS]; /* of the part that a member is in */
  uint8_t size[ORDER_MEMBERS];  /* of the part whose first member it is */
};

/* Whether each two members of different parts have met at this size. */
static bool all_meet(const struct parts *parts, unsigned a, unsigned b, unsigned size, uint8_t sizes[][ORDER_MEMBERS]) {
  for (unsigned i = 0; i < parts->members; i++)
    for (unsigned j = i + 1; j < parts->members; j++) {
      bool meet = (parts->first[i] == a && parts->first[j] == b) || (parts->first[i] == b && parts->first[j] == a);
      if (meet && sizes[i][j] != size)
        return false;
    }
  return true;
}

static void join(struct parts *parts, unsigned a, unsigned b) {
  for (unsigned i = 0; i < parts->members; i++)
    if (parts->first[i] == b)
      parts->first[i] = (uint8_t)a;
  parts->size[a] = (uint8_t)(parts->size[a] + parts->size[b]);
}

/* The parts of i and j become one, if they are two. False: that cannot be. */
static bool meet(struct parts *parts, unsigned i, unsigned j, struct order *order, unsigned *steps,
                 uint8_t sizes[][ORDER_MEMBERS]) {
  unsigned a = parts->first[i], b = parts->first[j], size = sizes[i][j];
  if (a == b)
    return true; /* all_meet has looked at these two */
  if (a > b) {
    a = parts->first[j];
    b = parts->first[i];
  }
  if (parts->size[a] + parts->size[b] != size || !all_meet(parts, a, b, size, sizes))
    return false;
  order->steps[*steps].into = (uint8_t)a;
  order->steps[*steps].from = (uint8_t)b;
  ++*steps;
  join(parts, a, b);
  return true;
}

bool order_from_sizes(struct order *order, unsigned members, uint8_t sizes[][ORDER_MEMBERS]) {
  struct parts parts = {.members = members};
  unsigned steps = 0;
  if (members < 2 || members > ORDER_MEMBERS)
    return false;
  for (unsigned i = 0; i < members; i++) {
    parts.first[i] = (uint8_t)i;
    parts.size[i] = 1;
  }
  for (unsigned size = 2; size <= members; size++) /* the small parts first */
    for (unsigned i = 0; i < members; i++)
      for (unsigned j = i + 1; j < members; j++)
        if (sizes[i][j] == size && !meet(&parts, i, j, order, &steps, sizes))
          return false;
  order->members = members;
  return steps == members - 1;
}
