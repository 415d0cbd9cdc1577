/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * collectives - time of collectives, through the MPI library and through libmpishm, in turns in one process.
 *
 *   collectives [-only NAME] [-sizes BYTES,BYTES,...] [-cubes SIDE,SIDE,...] [-moved 0|1] [-repeat R] [-time SECONDS]
 *
 * The time is that of the slowest rank, the best of R measurements of SECONDS each; -moved 1 has the buffers in the
 * window. Before it is timed, each call has to give what the library's gives, and is called so often that libmpishm has
 * found out which way is faster, or for half a second.
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
  struct list {
    long of[MAX_SIZES];
    int count;
  } sizes, cubes;
  int repeat, moved;
  double seconds;
};

static void read_list(const char *option, struct list *list, const char *value) {
  list->count = 0;
  for (const char *at = value; at != NULL && list->count < MAX_SIZES; at = strchr(at, ','), at += at != NULL) {
    long number = atol(at);
    if (number < 8 || number % 8 != 0)
      fail("%s takes multiples of 8 with commas between them, not %s", option, value);
    list->of[list->count++] = number;
  }
}

static struct options read_options(int argc, char **argv) {
  struct options o = {
      NULL, {{8, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20}, 7}, {{64, 128, 256}, 3}, 7, 0, 0.02};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "-only") == 0 && *value)
      o.only = value;
    else if (strcmp(argv[i], "-sizes") == 0)
      read_list(argv[i], &o.sizes, value);
    else if (strcmp(argv[i], "-cubes") == 0)
      read_list(argv[i], &o.cubes, value);
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
    if (!c->limit || b->nodes > 1)
      continue;
    memset(b->all, stamp, bytes);
    c->fill_limit(b);
    c->limit(b);
    if (memcmp(b->all, b->expected, bytes) != 0)
      fail("%s: rank %d, %ld bytes: the limit is not what the library gives", c->name, b->rank, b->bytes);
  }
}

static double least(double a, double b) { return a < b ? a : b; }

enum { CALLS_TO_DECIDE = 100 };
static double warm_up(call *one, const struct buffers *b) {
  double us = measure(one, b, 10), calls = 5e5 / us;
  return least(measure(one, b, calls < CALLS_TO_DECIDE ? 1 + (int)calls : CALLS_TO_DECIDE), us);
}

/* `size`: bytes, or the side of a cube. */
static void run(const struct collective *c, long size, int nodes, const struct options *o) {
  struct buffers b = {.bytes = size, .nodes = nodes, .moved = o->moved};
  MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
  if (c->limit) {
    b.side = size - size % b.ranks;
    b.bytes = b.side * (b.side / b.ranks) * (b.side / b.ranks) * 8;
  }
  long room = b.bytes * b.ranks + 8;
  b.mine = allocate(room, o->moved);
  b.all = allocate(room, o->moved);
  b.expected = allocate(room, o->moved);
  c->set_up(&b);
  check(c, &b);
  call *limit = c->limit && nodes == 1 ? c->limit : NULL;
  double library = warm_up(c->library, &b), window = warm_up(c->window, &b), bare = 1e9;
  int times = 1 + (int)(o->seconds * 1e6 / (library > window ? library : window));
  for (int i = 0; i < o->repeat; i++) {
    library = least(measure(c->library, &b, times), library);
    window = least(measure(c->window, &b, times), window);
    bare = limit ? least(measure(limit, &b, times), bare) : 0;
  }
  if (b.rank == 0)
    printf("%-20s %9ld %10.2f %10.2f %7.2f", c->name, size, library, window, library / window);
  if (b.rank == 0 && limit)
    printf(" %10.2f %7.2f", bare, window / bare);
  if (b.rank == 0)
    printf("\n");
  fflush(stdout);
  c->tear_down(&b);
  void (*release)(void *) = o->moved ? MPISHM_Free : free;
  release(b.mine);
  release(b.all);
  release(b.expected);
}

static int count_nodes(void) {
  MPI_Comm node;
  int place, nodes;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &place);
  MPI_Comm_free(&node);
  int first = place == 0;
  MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return nodes;
}

int main(int argc, char **argv) {
  int rank, ranks;
  setenv("MPISHM_NET", "0", 1); /* it would serve the library's calls, too */
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct options o = read_options(argc, argv);
  int nodes = count_nodes();
  if (rank == 0)
    printf("%d ranks; us per call, best of %d; buffers %s\n\n%-20s %9s %10s %10s %7s %10s %7s\n", ranks, o.repeat,
           o.moved ? "moved" : "private", "collective", "bytes", "library", "mpishm", "ratio", "limit", "of it");
  for (int i = 0; collectives[i]; i++) {
    const struct collective *c = collectives[i];
    const struct list *sizes = c->limit ? &o.cubes : &o.sizes;
    if (o.only && strcmp(o.only, c->name) != 0)
      continue;
    if (c->most == 0)
      run(c, 0, nodes, &o);
    for (int s = 0; c->most > 0 && s < sizes->count; s++)
      if (sizes->of[s] >= c->least && sizes->of[s] <= c->most)
        run(c, sizes->of[s], nodes, &o);
  }
  MPI_Finalize();
  return 0;
}
