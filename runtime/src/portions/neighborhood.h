/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The neighbours of this member in a communicator's virtual topology (MPI 3.1, 7.5 and 7.6).
 */
#ifndef MPISHM_NEIGHBORHOOD_H
#define MPISHM_NEIGHBORHOOD_H

#include "portions/portions.h"

struct neighborhood {
  unsigned source_count, destination_count;
  unsigned *sources, *destinations; /* NOBODY stands for MPI_PROC_NULL */
};

/* Of a communicator whose collectives go through the window. The first call for a communicator is collective over its
 * members. NULL on all: by MPI, since some member has no topology, or no memory, or one neighbour several times: which
 * part of that one's is which, libraries see in different ways. */
const struct neighborhood *neighborhood_of(struct communicator *communicator);

#endif
