/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which error handler an error is for. MPI_Comm_call_errhandler and MPI_Win_call_errhandler call the object's own. But
 * libraries of MPICH's family call that of MPI_COMM_WORLD (4.0) or MPI_COMM_SELF (5.0), as it is at that moment, where
 * nobody has set the object's, and for what some completions find. Which it is, is found out when there is an error, by
 * another one that is made for that.
 *
 * Any thread, without the runtime's mutex: handlers are the program's. While it is found out, those of MPI_COMM_WORLD
 * and MPI_COMM_SELF are others, and an error of another thread's just then does not get to the program's.
 */
#ifndef MPISHM_ERRORS_H
#define MPISHM_ERRORS_H

#include <mpi.h>
#include <stdbool.h>

/* What finds an error: a call with the communicator, one that completes a request on it (MPI_Wait, MPI_Test), or one
 * that has no communicator of its own (those for several requests, MPI_Mrecv). */
enum error_in { ERROR_IN_CALL, ERROR_IN_COMPLETION, ERROR_IN_COMPLETIONS };

/* As the library raises an error that a call with this communicator, or with this window, finds. */
void error_on_communicator(MPI_Comm comm, int error);
void error_on_window(MPI_Win win, int error);

/* The communicator on which the library raises what is found elsewhere than in a call with a communicator;
 * MPI_COMM_NULL: on that itself. `alone`: it has one member. */
MPI_Comm error_is_on(enum error_in in, bool alone);

/* A communicator of this rank alone. The caller frees it. */
MPI_Comm error_private_communicator(void);

#endif
