/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * options.h - what the benchmarks are told that time one thing for several sizes:
 *
 *   [-sizes N,N,...] [-repeat R] [-time SECONDS]
 */
#ifndef OPTIONS_H
#define OPTIONS_H

enum { MAX_SIZES = 32 };

struct options {
  int sizes[MAX_SIZES], count, repeat;
  double seconds; /* of each measurement */
};

/* Puts what the command line says into *options, which has the defaults. Fails on anything else, on sizes that are not
 * positive, and on more than most_repeats. */
void read_options(int argc, char **argv, struct options *options, int most_repeats);

#endif
