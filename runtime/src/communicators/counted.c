/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "communicators/counted.h"
#include "node/library.h"

#include <stdio.h>

/* MPICH 4.0.2 and Intel MPI have the variable, too; neither was seen to change its ways by it. */
static bool counts(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length, major, minor;
  PMPI_Get_library_version(version, &length);
  return sscanf(version, "MPICH Version: %d.%d", &major, &minor) == 2 && (major > 4 || (major == 4 && minor > 0));
}

int counted_by_library(void) {
  MPI_T_cvar_handle threshold;
  int count = 0;
  if (!counts() || !library_variable("MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD", &threshold))
    return 0;
  if (MPI_T_cvar_read(threshold, &count) != MPI_SUCCESS || count < 0)
    count = 0;
  MPI_T_cvar_handle_free(&threshold);
  return count;
}

/* It does not count what it does in the order of the ranks, and of derived datatypes only some; these are its own
 * anyway. */
bool counted_leave(struct communicator *communicator, enum counted kind, MPI_Datatype datatype, MPI_Op op) {
  int commutative = 1, integers, addresses, datatypes, combiner = MPI_COMBINER_NAMED;
  if (PMPI_Op_commutative(op, &commutative) != MPI_SUCCESS || !commutative ||
      PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner) != MPI_SUCCESS ||
      combiner != MPI_COMBINER_NAMED)
    return false;
  communicator->left_to_library[kind]--;
  return true;
}
