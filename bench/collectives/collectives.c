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

const struct collective *const collectives[] = {&barrier, NULL};
