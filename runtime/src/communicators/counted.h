/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collectives that the MPI library counts. MPICH from 4.1 on does barriers, broadcasts and reductions in another way
 * once a communicator, or the part of it on a node, has had some of them (MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD, 5 unless
 * the user says otherwise); it then adds in another order, so that sums have other last bits, and maxima of zeros of
 * both signs other signs. What stays the library's has the bits of the original program only if the library has counted
 * enough exactly where it had in that. Which kinds share a count depends on its version and on the communicator, so the
 * first ones of each kind are left to it: as long as a kind has had fewer, the library has seen all of them; from then
 * on any count that has this kind is high enough. Under the runtime's mutex.
 */
#ifndef MPISHM_COUNTED_H
#define MPISHM_COUNTED_H

#include "communicators/communicators.h"

/* How many that are for each communicator, as the library of this rank says; 0: it does not count. */
COLD int counted_by_library(void);

/* Of a broadcast of so many bytes: MPICH counts short ones elsewhere than long ones. */
static inline enum counted counted_broadcast(size_t bytes) {
  return bytes < 12288 ? COUNTED_SHORT_BCAST : bytes < 524288 ? COUNTED_BCAST : COUNTED_LONG_BCAST;
}

/* Whether this barrier or broadcast of more than nothing, which all members call, is left to the library. */
static inline bool is_left_to_library(struct communicator *communicator, enum counted kind) {
  bool is_left = UNLIKELY(communicator->left_to_library[kind] > 0);
  if (is_left)
    communicator->left_to_library[kind]--;
  return is_left;
}

/* The same for a reduction, of which the library counts some. */
COLD bool counted_leave(struct communicator *communicator, enum counted kind, MPI_Datatype datatype, MPI_Op op);
static inline bool is_reduction_left_to_library(struct communicator *communicator, enum counted kind, MPI_Count count,
                                                MPI_Datatype datatype, MPI_Op op) {
  return UNLIKELY(communicator->left_to_library[kind] > 0) && count > 0 &&
         counted_leave(communicator, kind, datatype, op);
}

#endif
