/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collectives that the MPI library counts. MPICH from 4.1 on does barriers, broadcasts and reductions in another way
 * once a communicator has had some of them (MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD, 5 unless the user says otherwise); it
 * then adds in another order, so that sums have other last bits, and maxima of zeros of both signs other signs. What
 * stays the library's has the bits of the original program only if the library has counted as many. So the first ones
 * of each communicator are left to it. Under the runtime's mutex.
 */
#ifndef MPISHM_COUNTED_H
#define MPISHM_COUNTED_H

#include "communicators/communicators.h"

/* How many that are for each communicator, as the library of this rank says; 0: it does not count. */
COLD int counted_by_library(void);

/* Whether this collective, which all members call, is left to the library. `op`: what it reduces by, or MPI_OP_NULL. */
COLD bool counted_leave(struct communicator *communicator, MPI_Op op);
static inline bool is_left_to_library(struct communicator *communicator, MPI_Count count, MPI_Op op) {
  return UNLIKELY(communicator->left_to_library > 0) && count > 0 && counted_leave(communicator, op);
}

#endif
