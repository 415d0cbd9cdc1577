/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * report.h - the rows as a table, and as JSON.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

enum sides { LIBRARY, MPISHM, LIMIT, SIDES };

struct report {
  FILE *json; /* NULL: none is asked for */
  int rows;
};

/* Microseconds per operation; of the limit less than 0: there is none. */
struct row {
  const char *name;
  long bytes;
  double us[SIDES];
  long errors; /* words that the library leaves wrong */
};

void report_begin(struct report *report, const char *path, int ranks, int repeat, const char *way);
void report_row(struct report *report, const struct row *row);
void report_end(struct report *report);

#endif
