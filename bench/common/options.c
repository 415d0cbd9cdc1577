/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options.h"
#include "fail.h"

#include <stdlib.h>
#include <string.h>

static void read_sizes(struct options *options, const char *value) {
  options->count = 0;
  for (const char *at = value; at != NULL && options->count < MAX_SIZES; at = strchr(at, ','), at += at != NULL)
    if ((options->sizes[options->count++] = atoi(at)) < 1)
      fail("-sizes takes numbers with commas between them, not %s", value);
}

void read_options(int argc, char **argv, struct options *options, int most_repeats) {
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "-sizes") == 0)
      read_sizes(options, value);
    else if (strcmp(argv[i], "-repeat") == 0 && atoi(value) > 0 && atoi(value) <= most_repeats)
      options->repeat = atoi(value);
    else if (strcmp(argv[i], "-time") == 0 && atof(value) > 0)
      options->seconds = atof(value);
    else
      fail("unknown option, or no value: %s", argv[i]);
  }
}
