/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * collectives - time of collectives, through the MPI library and through libmpishm, in turns in one process.
 *
 *   collectives [-only NAME] [-sizes BYTES,BYTES,...] [-moved 0|1] [-repeat R] [-time SECONDS]
 *
 * The time is that of the slowest rank, the best of R measurements of SECONDS each; -moved 1 has the buffers in the
 * window. Before it is timed, each call has to give what the library's gives.
 */
#include "collectives.h"
#include "fail.h"

#include <mpishm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 32 };

struct options {
  const char *only;
  long sizes[MAX_SIZES];
  int count, repeat, moved;
  double seconds;
};

static void read_sizes(struct options *o, const char *value) {
  o->count = 0;
  for (const char *at = value; at != NULL && o->count < MAX_SIZES; at = strchr(at, ','), at += at != NULL) {
    long bytes = atol(at);
    if (bytes < 8 || bytes % 8 != 0)
      fail("-sizes takes multiples of 8 with commas between them, not %s", value);
    o->sizes[o->count++] = bytes;
  }
}

static struct options read_options(int argc, char **argv) {
  struct options o = {NULL, {8, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20}, 7, 7, 0, 0.02};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "-only") == 0 && *value)
      o.only = value;
    else if (strcmp(argv[i], "-sizes") == 0)
      read_sizes(&o, value);
    else if (strcmp(argv[i], "-moved") == 0 && *value)
      o.moved = atoi(value);
    else if (strcmp(argv[i], "-repeat") == 0 && atoi(value) > 0)
      o.repeat = atoi(value);
    else if (strcmp(argv[i], "-time") == 0 && atof(value) > 0)
      o.seconds = atof(value);
    else
      fail("unknown option, or no value: %s", argv[i]);
  }
  return o;
}

typedef void call(const struct buffers *b);

/* Microseconds per call of the slowest rank. */
static double measure(call *one, const struct buffers *b, int times) {
  double mine, slowest = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double from = MPI_Wtime();
  for (int i = 0; i < times; i++)
    one(b);
  mine = (MPI_Wtime() - from) / times * 1e6;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static void *allocate(long bytes, int moved) {
  void *memory = moved ? MPISHM_Malloc((size_t)bytes) : checked_malloc(bytes);
  if (!memory)
    fail("no memory for %ld bytes", bytes);
  return memset(memory, 0, (size_t)bytes);
}

/* Small whole numbers, as doubles: any order of adding them gives the same. */
static void fill(const struct buffers *b, int stamp) {
  double *mine = (double *)b->mine;
  for (long i = 0; i < b->bytes * b->ranks / 8; i++)
    mine[i] = (double)(1000L * (b->rank + 1) + (i * 7 + stamp) % 997);
}

static void check(const struct collective *c, const struct buffers *b) {
  size_t bytes = (size_t)b->bytes * (size_t)b->ranks;
  struct buffers expected = *b;
  expected.all = b->expected;
  for (int stamp = 1; stamp <= 5; stamp++) {
    fill(b, stamp);
    memset(b->all, stamp, bytes);
    memset(b->expected, stamp, bytes);
    c->library(&expected);
    c->window(b);
    if (memcmp(b->all, b->expected, bytes) != 0)
      fail("%s: rank %d, %ld bytes: not what the library gives", c->name, b->rank, b->bytes);
  }
}

static void run(const struct collective *c, long bytes, const struct options *o) {
  struct buffers b = {.bytes = bytes};
  MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
  long room = bytes * b.ranks + 8;
  b.mine = allocate(room, o->moved);
  b.all = allocate(room, o->moved);
  b.expected = allocate(room, o->moved);
  c->set_up(&b);
  check(c, &b);
  double library = measure(c->library, &b, 10), window = measure(c->window, &b, 10);
  int times = 1 + (int)(o->seconds * 1e6 / (library > window ? library : window));
  for (int i = 0; i < o->repeat; i++) {
    double us = measure(c->library, &b, times);
    library = us < library ? us : library;
    us = measure(c->window, &b, times);
    window = us < window ? us : window;
  }
  if (b.rank == 0)
    printf("%-20s %9ld %10.2f %10.2f %7.2f\n", c->name, bytes, library, window, library / window);
  fflush(stdout);
  c->tear_down(&b);
  void (*release)(void *) = o->moved ? MPISHM_Free : free;
  release(b.mine);
  release(b.all);
  release(b.expected);
}

int main(int argc, char **argv) {
  int rank, ranks;
  setenv("MPISHM_NET", "0", 1); /* it would serve the library's calls, too */
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct options o = read_options(argc, argv);
  if (rank == 0)
    printf("%d ranks; us per call, best of %d; buffers %s\n\n%-20s %9s %10s %10s %7s\n", ranks, o.repeat,
           o.moved ? "moved" : "private", "collective", "bytes", "library", "mpishm", "ratio");
  for (int i = 0; collectives[i]; i++) {
    const struct collective *c = collectives[i];
    if (o.only && strcmp(o.only, c->name) != 0)
      continue;
    if (c->most == 0)
      run(c, 0, &o);
    for (int s = 0; c->most > 0 && s < o.count; s++)
      if (o.sizes[s] >= c->least && o.sizes[s] <= c->most)
        run(c, o.sizes[s], &o);
  }
  MPI_Finalize();
  return 0;
}
