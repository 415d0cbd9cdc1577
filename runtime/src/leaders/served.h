/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of this room with MPI's arguments, which collectives/ hands on to what is not all on one node. What is
 * not for leaders they hand on to MPI.
 */
#ifndef MPISHM_SERVED_H
#define MPISHM_SERVED_H

#include "mpishm.h"
#include "next/next.h"

/* From now on they are mpi_beyond. */
void served_start(void);

#if MPI_VERSION >= 4
#define MPISHM_LARGE_LED(X) MPISHM_LED(X)
#else
#define MPISHM_LARGE_LED(X)
#endif

#define DECLARE(name) __typeof__(MPI_##name) leaders_##name;
#define DECLARE_LARGE(name) __typeof__(MPI_##name##_c) leaders_##name##_c;
DECLARE(Barrier)
MPISHM_LED(DECLARE)
MPISHM_LARGE_LED(DECLARE_LARGE)
#undef DECLARE
#undef DECLARE_LARGE

#endif
