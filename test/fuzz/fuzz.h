/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What generated programs share; fuzz.py puts it beside each of them, with report.h of test/run.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "report.h"
#include <string.h>

/* Memory for items of a datatype; at is the address that MPI is given, which the first item may lie before. */
struct buffer {
  char *base;
  char *at;
  size_t bytes;
};

static inline struct buffer make_buffer(MPI_Datatype type, int count) {
  struct buffer made;
  MPI_Aint lower, extent, low, span;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &low, &span);
  made.bytes = (size_t)((low < 0 ? -low : low) + span + (count > 0 ? count - 1 : 0) * extent + 16);
  made.base = (char *)malloc(made.bytes);
  made.at = made.base + (low < 0 ? -low : 0);
  memset(made.base, 0, made.bytes);
  return made;
}

/* Takes a time that differs from rank to rank and step to step, so that either side comes first. */
static inline void dawdle(int amount) {
  volatile int i;
  for (i = 0; i < (amount * 7 % 5) * 20000; i++)
    ;
}

#endif
