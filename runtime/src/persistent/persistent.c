/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what makes persistent collectives. All else of them is that of nonblocking ones, and of persistent
 * requests.
 */
#include "mpishm.h"
#include "next/next.h"
#include "nonblocking/starts.h"
#include "watch/enter.h"

#ifdef MPISHM_HAVE_PERSISTENT_COLLECTIVES
int MPISHM_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  START_OR_MPI(CALL_BARRIER_INIT, start_barrier(comm, again_and_again(request)),
               mpi_first.Barrier_init(comm, info, request));
}

#define COUNTED "persistent/exchanges_calls.h"
#include "point_to_point/counted.h"

#define COUNTED "persistent/combinations_calls.h"
#include "point_to_point/counted.h"

#define COUNTED "persistent/neighbors_calls.h"
#include "point_to_point/counted.h"
#endif
