/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * report.h - the times as a table, CSV and JSON. Rank 0 alone calls these.
 */
#ifndef REPORT_H
#define REPORT_H

#include "halo.h"
#include "machine.h"
#include "options.h"

enum { MAX_SIZES = 32, MAX_PATTERNS = 10 };

struct report {
  const struct options *options;
  const struct halo *halo;
  struct machine machine;
  int npatterns;
  const char *patterns[MAX_PATTERNS];
  int nsizes;
  int bytes[MAX_SIZES];
  double us[MAX_SIZES][MAX_PATTERNS]; /* microseconds per exchange of the slowest rank; negative: none */
};

/* The table on standard output, as it grows. */
void print_heading(const struct report *r);
void print_row(const struct report *r, int size);

/* Fail when the file cannot be written. */
void write_csv(const struct report *r, const char *path);
void write_json(const struct report *r, const char *path);

#endif
