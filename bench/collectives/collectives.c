/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The calls that are timed: each as the MPI library's and as this one's.
 */
#include "collectives.h"

#include <mpishm.h>

static void nothing(const struct buffers *b) { (void)b; }

/* Two functions with one body, in which CALL(Foo) is MPI_Foo and MPISHM_Foo. */
#define BOTH(row, body)                                                                                                \
  static void row##_library(const struct buffers *b) { body(MPI_); }                                                   \
  static void row##_window(const struct buffers *b) { body(MPISHM_); }
#define ROW(row, title, least, most, set_up)                                                                           \
  static const struct collective row = {title, least, most, set_up, row##_library, row##_window}

#define BARRIER(prefix) (void)b, prefix##Barrier(MPI_COMM_WORLD)
BOTH(barrier, BARRIER)
ROW(barrier, "Barrier", 0, 0, nothing);

#define BCAST(prefix)                                                                                                  \
  if (b->rank == 0)                                                                                                    \
    prefix##Bcast(b->mine, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);                                                \
  else                                                                                                                 \
    prefix##Bcast(b->all, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD)
BOTH(bcast, BCAST)
ROW(bcast, "Bcast", 8, 16 << 20, nothing);

#define ALLREDUCE(prefix) prefix##Allreduce(b->mine, b->all, (int)(b->bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
BOTH(allreduce, ALLREDUCE)
ROW(allreduce, "Allreduce", 8, 1 << 20, nothing);

#define ALLREDUCE_INTEGERS(prefix)                                                                                     \
  prefix##Allreduce(b->mine, b->all, (int)(b->bytes / 8), MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD)
BOTH(allreduce_integers, ALLREDUCE_INTEGERS)
ROW(allreduce_integers, "Allreduce integers", 8, 1 << 20, nothing);

#define REDUCE(prefix) prefix##Reduce(b->mine, b->all, (int)(b->bytes / 8), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD)
BOTH(reduce, REDUCE)
ROW(reduce, "Reduce", 8, 1 << 20, nothing);

const struct collective *const collectives[] = {&barrier, &bcast, &allreduce, &allreduce_integers, &reduce, NULL};
