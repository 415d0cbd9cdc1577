/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The most frequent entry points once more, for calls of MPI that were not rewritten (net/), from `site`. That they are
 * such calls the compiler knows in them, and what is told of each call elsewhere by `unrewritten` (base/origin.h) need
 * not be set. Only where nobody attends entry points (runtime.h).
 */
#ifndef MPISHM_AT_ONCE_H
#define MPISHM_AT_ONCE_H

#include <mpi.h>

#define COUNTED "point_to_point/at_once_calls.h"
#include "point_to_point/counted.h"

/* What is not ours is for the next in line. Say so when a request of ours is of rewritten code. */
int serve_Wait(MPI_Request *request, MPI_Status *status, const void *site);
int serve_Test(MPI_Request *request, int *flag, MPI_Status *status, const void *site);
int serve_Waitall(int count, MPI_Request requests[], MPI_Status statuses[], const void *site);
int serve_Start(MPI_Request *request, const void *site);
/* At least the first request is ours. */
int serve_Startall(int count, MPI_Request requests[], const void *site);

#endif
