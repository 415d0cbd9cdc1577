/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options.h"

#include <stdlib.h>
#include <string.h>

static int positive(const char *text, int *value) {
  *value = text ? atoi(text) : 0;
  return *value > 0 ? 0 : -1;
}

int options_read(options *o, int argc, char **argv) {
  int i, bad = 0;

  o->nx = 48;
  o->ny = 40;
  o->steps = 16;
  o->report = 4;
  o->periodic = 0;
  for (i = 1; i < argc && !bad; i++) {
    if (!strcmp(argv[i], "-nx"))
      bad = positive(argv[++i], &o->nx);
    else if (!strcmp(argv[i], "-ny"))
      bad = positive(argv[++i], &o->ny);
    else if (!strcmp(argv[i], "-steps"))
      bad = positive(argv[++i], &o->steps);
    else if (!strcmp(argv[i], "-report"))
      bad = positive(argv[++i], &o->report);
    else if (!strcmp(argv[i], "-periodic"))
      o->periodic = 1;
    else
      bad = -1;
  }
  return bad;
}
