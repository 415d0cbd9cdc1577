/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report.h"
#include "fail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *buffers(const struct report *r) { return r->options->alloc_mem ? "alloc_mem" : "private"; }

static int width(const char *name) { return strlen(name) > 9 ? (int)strlen(name) + 1 : 10; }

void print_heading(const struct report *r) {
  const struct machine *m = &r->machine;
  printf("# %s, %d cores; %s, transport %s; %d ranks on %d node%s, %d partners in %d-D, %s buffers%s%s%s\n",
         m->processor, m->cores, m->mpi, m->transport, r->halo->ranks, r->halo->nodes, r->halo->nodes == 1 ? "" : "s",
         r->halo->npartner, r->options->dimension, buffers(r), r->options->touch ? ", touched" : "",
         m->settings[0] != '\0' ? "; " : "", m->settings);
  printf("# us per exchange of the slowest rank, best of %d\n%9s", r->options->repeat, "bytes");
  for (int p = 0; p < r->npatterns; p++)
    printf("%*s", width(r->patterns[p]), r->patterns[p]);
  printf("\n");
}

void print_row(const struct report *r, int size) {
  printf("%9d", r->bytes[size]);
  for (int p = 0; p < r->npatterns; p++)
    if (r->us[size][p] < 0)
      printf("%*s", width(r->patterns[p]), "-");
    else
      printf("%*.3f", width(r->patterns[p]), r->us[size][p]);
  printf("\n");
  fflush(stdout);
}

static FILE *open_file(const char *path) {
  FILE *file = fopen(path, "w");
  if (file == NULL)
    fail("%s: %s", path, strerror(errno));
  return file;
}

static void close_file(FILE *file, const char *path) {
  int bad = ferror(file);
  if (fclose(file) != 0 || bad)
    fail("%s: could not be written", path);
}

/* `text` between quotes, with every quote in it doubled (CSV) or, like backslashes, after a backslash (JSON). */
static void put_quoted(FILE *file, const char *text, char before_quote) {
  putc('"', file);
  for (; *text != '\0'; text++) {
    if (*text == '"' || (*text == '\\' && before_quote == '\\'))
      putc(before_quote, file);
    putc((unsigned char)*text < ' ' ? ' ' : *text, file);
  }
  putc('"', file);
}

void write_csv(const struct report *r, const char *path) {
  FILE *file = open_file(path);
  fprintf(file,
          "processor,cores,mpi,transport,settings,ranks,nodes,partners,dimension,buffers,touch,bytes,pattern,us\n");
  for (int s = 0; s < r->nsizes; s++)
    for (int p = 0; p < r->npatterns; p++) {
      if (r->us[s][p] < 0)
        continue;
      put_quoted(file, r->machine.processor, '"');
      fprintf(file, ",%d,", r->machine.cores);
      put_quoted(file, r->machine.mpi, '"');
      putc(',', file);
      put_quoted(file, r->machine.transport, '"');
      putc(',', file);
      put_quoted(file, r->machine.settings, '"');
      fprintf(file, ",%d,%d,%d,%d,%s,%d,%d,%s,%.4f\n", r->halo->ranks, r->halo->nodes, r->halo->npartner,
              r->options->dimension, buffers(r), r->options->touch, r->bytes[s], r->patterns[p], r->us[s][p]);
    }
  close_file(file, path);
}

static void put_member(FILE *file, const char *name, const char *text) {
  fprintf(file, "  \"%s\": ", name);
  put_quoted(file, text, '\\');
  fprintf(file, ",\n");
}

void write_json(const struct report *r, const char *path) {
  FILE *file = open_file(path);
  fprintf(file, "{\n");
  put_member(file, "processor", r->machine.processor);
  put_member(file, "mpi", r->machine.mpi);
  put_member(file, "transport", r->machine.transport);
  put_member(file, "settings", r->machine.settings);
  put_member(file, "buffers", buffers(r));
  fprintf(file, "  \"cores\": %d, \"ranks\": %d, \"nodes\": %d,\n", r->machine.cores, r->halo->ranks, r->halo->nodes);
  fprintf(file, "  \"partners\": %d, \"dimension\": %d, \"touch\": %s,\n", r->halo->npartner, r->options->dimension,
          r->options->touch ? "true" : "false");
  fprintf(file, "  \"n_avg\": %d, \"repeat\": %d,\n  \"us\": {", r->options->n_avg, r->options->repeat);
  for (int p = 0; p < r->npatterns; p++) {
    const char *comma = "";
    fprintf(file, "%s\n    \"%s\": {", p > 0 ? "," : "", r->patterns[p]);
    for (int s = 0; s < r->nsizes; s++)
      if (r->us[s][p] >= 0) {
        fprintf(file, "%s\"%d\": %.4f", comma, r->bytes[s], r->us[s][p]);
        comma = ", ";
      }
    fprintf(file, "}");
  }
  fprintf(file, "\n  }\n}\n");
  close_file(file, path);
}
