/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef OPTIONS_H
#define OPTIONS_H

struct options {
  int npartner, dimension;
  int logscale, min_bytes, max_bytes;
  int n_avg, repeat;
  int alloc_mem; /* of -buffers */
  int touch;
  int count;            /* exchanges to be counted, not timed; 0: times */
  const char *patterns; /* names with commas, or NULL: all */
  const char *csv, *json;
};

/* Fails on all ranks when the command line is not understood; prints the help and ends when it asks for that. */
struct options read_options(int argc, char **argv, int rank);

#endif
