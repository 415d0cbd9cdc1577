/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions whose result is the same bits in any MPI library: of integers in any order, of floating-point numbers what
 * is the same in any order for these values, which is found as it goes.
 */
#ifndef MPISHM_REDUCTIONS_H
#define MPISHM_REDUCTIONS_H

#include "reductions/settled.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* into[i] = into[i] op from[i], of `count` elements, wherever they lie. True: the bits of a result may depend on the
 * order, or on who computes it; what `into` holds is then of no use. */
typedef bool combine_elements(void *into, const void *from, size_t count);

/* Whether with such an operand there is no doubt about the bits, whatever the other one of two is. */
typedef bool settling_elements(const void *operand, size_t count);

struct reduction {
  combine_elements *combine;
  size_t bytes;     /* of an element */
  bool doubtful;    /* combine may return true */
  bool only_of_two; /* in whatever order, but not in groups of whatever kind: sums of floating-point numbers */
  bool any_order;   /* if it is doubtful: not for the order, but for what the library takes the elements for */
  settling_elements *settles; /* if it is doubtful; NULL: no operand does */
  settled_elements *settled;  /* as long as it does; NULL with that */
};

/* It, or NULL: a reduction that is MPI's, to do or to refuse. Under the runtime's mutex. */
const struct reduction *reduction_find(MPI_Op op, MPI_Datatype datatype);

#endif
