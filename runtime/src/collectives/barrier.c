/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry point: the barrier.
 */
#include "members/members.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

HOT int MPISHM_Barrier(MPI_Comm comm) {
  runtime_enter(CALL_BARRIER);
  struct communicator *communicator = collective_find(comm, CALL_BARRIER);
  if (UNLIKELY(!communicator || is_left_to_library(communicator, COUNTED_BARRIER))) {
    runtime_unlock();
    return runtime_return(mpi_beyond->Barrier(comm));
  }
  collective_agree(communicator, false);
  runtime_leave();
  return MPI_SUCCESS;
}
