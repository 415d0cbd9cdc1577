/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "node/library.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The interface is asked for at the thread level that MPI has: Open MPI 5 takes the level of whoever asks last for that
 * of all of MPI, and no longer locks. It is left initialised: with the last MPI_T_finalize MPICH 4.0.2 would lose its
 * variables for good, and the program may want them later. */
bool library_variable(const char *name, MPI_T_cvar_handle *variable) {
  static bool initialised;
  int level, provided, index, count;
  PMPI_Query_thread(&level);
  if (!initialised && MPI_T_init_thread(level, &provided) != MPI_SUCCESS)
    return false;
  initialised = true;
  return MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
         MPI_T_cvar_handle_alloc(index, NULL, variable, &count) == MPI_SUCCESS;
}

bool library_gives_handles_at_once(void) {
  static const char *const names[] = {"MPICH Version:", "Intel(R) MPI Library", "Open MPI"};
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length;
  PMPI_Get_library_version(version, &length);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(version, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

bool library_reduces_in_place(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length, major, minor;
  PMPI_Get_library_version(version, &length);
  return sscanf(version, "MPICH Version: %d.%d", &major, &minor) != 2 || major > 4 || (major == 4 && minor > 0);
}
