/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report.h"
#include "fail.h"

#include <mpi.h>
#include <string.h>

void report_begin(struct report *report, const char *path, int ranks, int repeat, const char *way) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length;
  printf("%d ranks; us per operation, best of %d; %s\n\n%-20s %9s %10s %10s %10s %7s %7s\n", ranks, repeat, way,
         "operation", "bytes", "library", "mpishm", "limit", "ratio", "limit");
  *report = (struct report){NULL, 0};
  if (!path)
    return;
  report->json = fopen(path, "w");
  if (!report->json)
    fail("cannot write %s", path);
  MPI_Get_library_version(version, &length);
  version[strcspn(version, "\n,")] = '\0';
  for (char *at = version; *at; at++)
    *at = (char)(*at == '"' || *at == '\\' || *at == '\t' ? ' ' : *at);
  fprintf(report->json, "{\"mpi\": \"%s\", \"ranks\": %d, \"repeat\": %d, \"way\": \"%s\", \"rows\": [", version, ranks,
          repeat, way);
}

void report_row(struct report *report, const struct row *row) {
  const double *us = row->us;
  printf("%-20s %9ld %10.3f %10.3f ", row->name, row->bytes, us[LIBRARY], us[MPISHM]);
  if (us[LIMIT] >= 0)
    printf("%10.3f %7.2f %7.2f\n", us[LIMIT], us[LIBRARY] / us[MPISHM], us[MPISHM] / us[LIMIT]);
  else
    printf("%10s %7.2f %7s\n", "-", us[LIBRARY] / us[MPISHM], "-");
  if (row->errors > 0)
    printf("%-20s the library leaves %ld words wrong\n", "", row->errors);
  fflush(stdout);
  if (!report->json)
    return;
  fprintf(report->json, "%s\n {\"operation\": \"%s\", \"bytes\": %ld, \"library\": %.4f, \"mpishm\": %.4f",
          report->rows++ ? "," : "", row->name, row->bytes, us[LIBRARY], us[MPISHM]);
  if (us[LIMIT] >= 0)
    fprintf(report->json, ", \"limit\": %.4f", us[LIMIT]);
  fprintf(report->json, ", \"errors\": %ld}", row->errors);
}

void report_end(struct report *report) {
  if (report->json && (fprintf(report->json, "\n]}\n") < 0 || fclose(report->json) != 0))
    fail("cannot write the report");
}
