/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What ranks of a node agree on: by messages, in place of MPI's collectives. Those wait inside MPI, where some
 * libraries spin whole time slices away if ranks outnumber cores; here a rank that waits yields.
 */
#ifndef MPISHM_AGREEMENT_H
#define MPISHM_AGREEMENT_H

#include <mpi.h>
#include <stddef.h>

/* Ranks of `comm` on which nothing else is sent meanwhile, in the same order on each of them. */
struct circle {
  MPI_Comm comm;
  const int *members; /* NULL: all of them */
  int count, place;   /* place: this rank's */
};

/* Adds another rank's value to the own one. A value may come twice, so it has to be a maximum or a union. */
typedef void combine_function(void *value, const void *other);

/* Collective over the circle: each gets the values of all, combined. In the order in which they come; the first is that
 * of the member before. `bytes` is at most MAXIMUM_AGREEMENT. */
enum { MAXIMUM_AGREEMENT = 256 };
void agree(const struct circle *circle, void *value, size_t bytes, combine_function *combine);

/* Waits for a request of MPI's, yielding. */
void wait_yielding(MPI_Request *request);

#endif
