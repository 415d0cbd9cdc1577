/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "members/aliases.h"
#include "next/next.h"

bool aliases_are_refused(void) {
  static bool known, refused; /* under the mutex */
  if (!known) {
    int number = 0;
    runtime_unlock();
    MPI_Comm alone = error_private_communicator();
    PMPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
    int error = mpi_own.Scatter(&number, 1, MPI_INT, &number, 1, MPI_INT, 0, alone);
    PMPI_Comm_free(&alone);
    runtime_lock();
    refused = error != MPI_SUCCESS;
    known = true;
  }
  return refused;
}

bool is_refused_at(MPI_Comm comm, int root, MPI_Count count) {
  const struct communicator *communicator = communicator_find(comm);
  return communicator && root == communicator->rank && count > 0 && aliases_are_refused();
}

bool is_refused_in_parts(MPI_Comm comm, const struct side *receive) {
  const struct communicator *communicator = communicator_find(comm);
  return communicator && (receive->form == SAME || receive->counts) &&
         count_of(receive, (unsigned)communicator->rank) > 0 && aliases_are_refused();
}
