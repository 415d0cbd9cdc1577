/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options.h"
#include "fail.h"
#include "halo.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "halo - time per halo exchange over message sizes, for several ways to make it\n"
    "\n"
    "  -npartner N       partners of each rank, an even number (8)\n"
    "  -dimension 1|2    partners on a ring of ranks, or on a torus (1)\n"
    "  -logscale         all powers of two; without it every other one\n"
    "  -min_bytes B      smallest message (4)\n"
    "  -max_bytes B      largest message (1048576)\n"
    "  -n_avg N          exchanges that a measurement averages over (1000; a tenth above 64 KiB)\n"
    "  -repeat N         measurements, of which the best counts (5)\n"
    "  -buffers KIND     private: malloc (the default); alloc_mem: where the pattern wants them\n"
    "  -touch            between exchanges write all that is sent and read all that arrived, in the time\n"
    "  -patterns A,B,... only these\n"
    "  -csv FILE         write the times there too\n"
    "  -json FILE        the same\n"
    "  -count N          no times: N exchanges in lock-step, for counting instructions (see bench/instructions)\n"
    "\n"
    "Times are those of the slowest rank. Every pattern's messages are checked at every size before it is measured.\n";

static int number(const char *name, const char *text, int least, int most) {
  char *end = NULL;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < least || value > most)
    fail("%s takes %d to %d, not %s", name, least, most, text);
  return (int)value;
}

static int is_alloc_mem(const char *kind) {
  if (strcmp(kind, "private") != 0 && strcmp(kind, "alloc_mem") != 0)
    fail("-buffers takes private or alloc_mem, not %s", kind);
  return strcmp(kind, "alloc_mem") == 0;
}

struct options read_options(int argc, char **argv, int rank) {
  struct options o = {.npartner = 8, .dimension = 1, .min_bytes = 4, .max_bytes = 1 << 20, .n_avg = 1000, .repeat = 5};
  const struct {
    const char *name;
    int *value;
    int least, most;
  } numbers[] = {{"-npartner", &o.npartner, 2, MAX_PARTNERS},
                 {"-dimension", &o.dimension, 1, 2},
                 {"-min_bytes", &o.min_bytes, 4, 1 << 25},
                 {"-max_bytes", &o.max_bytes, 4, 1 << 25},
                 {"-n_avg", &o.n_avg, 1, 1 << 30},
                 {"-repeat", &o.repeat, 1, 1 << 20},
                 {"-count", &o.count, 1, 1 << 20}};
  const struct {
    const char *name;
    const char **value;
  } texts[] = {{"-patterns", &o.patterns}, {"-csv", &o.csv}, {"-json", &o.json}};
  const int nnumbers = sizeof numbers / sizeof numbers[0], ntexts = sizeof texts / sizeof texts[0];

  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    int known = 0;
    if (strcmp(name, "-logscale") == 0 || strcmp(name, "-touch") == 0) {
      *(name[1] == 'l' ? &o.logscale : &o.touch) = 1;
      continue;
    }
    if (strcmp(name, "-help") == 0 || strcmp(name, "--help") == 0) {
      if (rank == 0)
        fputs(HELP, stdout);
      MPI_Finalize();
      exit(0);
    }
    const char *text = i + 1 < argc ? argv[++i] : NULL;
    for (int k = 0; text != NULL && k < nnumbers; k++)
      if (strcmp(name, numbers[k].name) == 0 && ++known)
        *numbers[k].value = number(name, text, numbers[k].least, numbers[k].most);
    for (int k = 0; text != NULL && k < ntexts; k++)
      if (strcmp(name, texts[k].name) == 0 && ++known)
        *texts[k].value = text;
    if (text != NULL && strcmp(name, "-buffers") == 0 && ++known)
      o.alloc_mem = is_alloc_mem(text);
    if (!known)
      fail("unknown option, or no value: %s (-help lists them)", name);
  }
  if (o.npartner % 2 != 0)
    fail("-npartner must be even: as many one way as the other");
  if (o.max_bytes > (1 << 30) / o.npartner)
    fail("-max_bytes times -npartner must not be more than 1 GiB");
  return o;
}
