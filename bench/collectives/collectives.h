/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * collectives.h - one row of the benchmark.
 */
#ifndef COLLECTIVES_H
#define COLLECTIVES_H

/* What a call works on. `mine` and `all` have room for `bytes` from, or to, each rank. */
struct buffers {
  int rank, ranks, nodes, moved;
  long side;  /* of a cube */
  long bytes; /* from one rank to another; of a reduction, of the vector */
  char *mine, *all, *expected;
};

struct collective {
  const char *name;
  long least, most; /* bytes; both 0: it has no data; of a cube, its sides */
  void (*set_up)(const struct buffers *b);
  void (*library)(const struct buffers *b); /* writes b->all */
  void (*window)(const struct buffers *b);
  void (*tear_down)(const struct buffers *b);
  /* Of cubes, else NULL: the same by hand, where all ranks are on one node; and what it reads, from b->mine. */
  void (*limit)(const struct buffers *b);
  void (*fill_limit)(const struct buffers *b);
};

extern const struct collective *const collectives[];

#endif
