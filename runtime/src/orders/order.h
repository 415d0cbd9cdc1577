/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In which order somebody else adds floating-point numbers, one of each member, found out by what sums tell.
 *
 * Two members give a number so large that all smaller ones are lost beside it, one the negative of the other; all
 * others give 1. What was added to either before these two met is lost; the ones that are left in the sum are those of
 * members that came later. So for each two members the sum tells how many members are in the smallest part of the tree
 * of additions that has both; and these sizes tell the tree. (Xie, Gao, Wang, Li, Jin: FPRev, 2024.)
 *
 * Thread safety: none needed.
 */
#ifndef MPISHM_ORDER_H
#define MPISHM_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDER_MEMBERS = 16 }; /* at most: a tree is found from sums for each two members */

/* Additions, one after the other, at whose end the first member's value is the sum. */
struct order {
  unsigned members;
  struct {
    uint8_t into, from; /* value[into] += value[from] */
  } steps[ORDER_MEMBERS - 1];
};

/* From sizes[i][j] for i < j: how many members' values are in the smallest part that has those of i and j. False: no
 * tree has such sizes. */
bool order_from_sizes(struct order *order, unsigned members, uint8_t sizes[][ORDER_MEMBERS]);

#endif
