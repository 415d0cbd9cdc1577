/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "node/warnings.h"
#include "node/runtime.h"

#include <stdarg.h>
#include <stdio.h>

/* Whether it is this rank's turn to print a warning that others may see the reason for too. */
static bool may_warn(enum warning which) {
  static bool warned[WARN_COUNT];
  if (warned[which])
    return false;
  warned[which] = true;
  if (mpishm.active)
    return !(atomic_fetch_or_explicit(&mpishm.first_segment->warned, 1u << which, memory_order_relaxed) >> which & 1);
  int initialized = 0, rank = 0;
  PMPI_Initialized(&initialized);
  if (initialized && which != WARN_NO_WINDOW) /* that one concerns a node, and its first rank calls */
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

void warn_once(enum warning which, const char *format, ...) {
  if (!may_warn(which))
    return;
  char line[1100]; /* the longest: what of the environment is ignored */
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(stderr, "mpishm: warning: %s\n", line);
}
