/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums of floating-point numbers of more than two members: in the order in which the MPI library adds them, which is
 * found out for each kind of sum that is used often. Under the runtime's mutex, but for what the library does.
 */
#ifndef MPISHM_SUMS_H
#define MPISHM_SUMS_H

#include "reductions/kinds.h"

/* The order of a sum that all members pass alike, in a slot each; NULL: the call is MPI's. Collective over the members:
 * now and then it has the library sum, to find out. */
const struct order *sum_order(struct communicator *communicator, const struct reduction *reduction, MPI_Count count,
                              MPI_Datatype datatype, MPI_Op op, int root);
/* The same for any reduction, which is returned in place of NULL, where there is an order. */
static inline const struct reduction *find_sum(struct communicator *communicator, MPI_Count count,
                                               MPI_Datatype datatype, MPI_Op op, int root, const struct order **order) {
  const struct reduction *reduction = communicator && count > 0 ? reduction_find(op, datatype) : NULL;
  *order = reduction && reduction->only_of_two && op == MPI_SUM
               ? sum_order(communicator, reduction, count, datatype, op, root)
               : NULL;
  return *order ? reduction : NULL;
}

#endif
