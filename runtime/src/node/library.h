/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the MPI library tells of itself by MPI's tool interface.
 */
#ifndef MPISHM_LIBRARY_H
#define MPISHM_LIBRARY_H

#include <mpi.h>
#include <stdbool.h>

/* A control variable of the library's (MPI 4.0, 15.3), an int, to be freed by MPI_T_cvar_handle_free. False where the
 * library has none of that name. At set-up. */
bool library_variable(const char *name, MPI_T_cvar_handle *variable);

/* Whether MPI_Comm_idup gives the handle of what it makes, and copies attributes, before it returns. MPI 3.1 (6.4.2)
 * lets a library give the handle later; those of MPICH's family and Open MPI do not. */
bool library_gives_handles_at_once(void);

/* Whether a reduction in place works at other roots than 0: that of more than 2 KiB crashes MPICH up to 4.0. (Shorter
 * ones copy their operand first, and go on as those that are not in place.) */
bool library_reduces_in_place(void);

#endif
