/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * collectives.h - one row of the benchmark.
 */
#ifndef COLLECTIVES_H
#define COLLECTIVES_H

/* What a call works on. `mine` and `all` have room for `bytes` from, or to, each rank. */
struct buffers {
  int rank, ranks;
  long bytes; /* from one rank to another; of a reduction, of the vector */
  char *mine, *all, *expected;
};

struct collective {
  const char *name;
  long least, most; /* bytes; both 0: it has no data */
  void (*set_up)(const struct buffers *b);
  void (*library)(const struct buffers *b); /* writes b->all */
  void (*window)(const struct buffers *b);
  void (*tear_down)(const struct buffers *b);
};

extern const struct collective *const collectives[];

#endif
