/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * onesided - time of one-sided operations, through the MPI library and through libmpishm, in turns in one process.
 *
 *   onesided [-only NAME] [-sizes BYTES,BYTES,...] [-way create|moved|allocate|shared] [-repeat R] [-time SECONDS]
 *            [-iterations N]
 *
 * The time is that of the slowest rank, the best of R measurements of SECONDS each. In a row whose operations are
 * passive rank 0 calls, while the others wait in a barrier, which lets the library make progress. Before it is timed,
 * each call has to do to the target's memory what the library's does. -iterations: of what goes on until it converges,
 * at most.
 */
#include "fail.h"
#include "onesided.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 32, FENCED = 8 };

struct options {
  const char *only, *way;
  long sizes[MAX_SIZES];
  int count, repeat, iterations;
  double seconds;
};

static void read_sizes(struct options *o, const char *value) {
  o->count = 0;
  for (const char *at = value; at != NULL && o->count < MAX_SIZES; at = strchr(at, ','), at += at != NULL) {
    long bytes = atol(at);
    if (bytes < 8 || bytes % 8 != 0 || bytes > PART / FENCED)
      fail("-sizes takes multiples of 8, up to %d, with commas between them, not %s", PART / FENCED, value);
    o->sizes[o->count++] = bytes;
  }
}

static struct options read_options(int argc, char **argv) {
  struct options o = {NULL, "allocate", {8, 64, 1 << 10, 16 << 10, 256 << 10}, 5, 7, 0, 0.02};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "-only") == 0 && *value)
      o.only = value;
    else if (strcmp(argv[i], "-way") == 0 && *value && strstr("create moved allocate shared", value))
      o.way = value;
    else if (strcmp(argv[i], "-sizes") == 0)
      read_sizes(&o, value);
    else if (strcmp(argv[i], "-repeat") == 0 && atoi(value) > 0)
      o.repeat = atoi(value);
    else if (strcmp(argv[i], "-iterations") == 0 && atoi(value) > 0)
      o.iterations = atoi(value);
    else if (strcmp(argv[i], "-time") == 0 && atof(value) > 0)
      o.seconds = atof(value);
    else
      fail("unknown option, or no value: %s", argv[i]);
  }
  return o;
}

/* In the same way on both sides. */
#define MAKE(prefix, allocates)                                                                                        \
  do {                                                                                                                 \
    if (strcmp(way, "allocate") == 0)                                                                                  \
      prefix##Win_allocate(PART, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &s->base, &s->win);                                 \
    else if (strcmp(way, "shared") == 0)                                                                               \
      prefix##Win_allocate_shared(PART, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &s->base, &s->win);                          \
    else                                                                                                               \
      prefix##Win_create(s->base = allocates, PART, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &s->win);                        \
  } while (0)

static void make_side(struct side *s, const struct options *o, int ours) {
  const char *way = o->way;
#define MPIS(name) .name = PMPI_##name,
#define OURS(name) .name = MPISHM_##name,
  const struct functions library = {FUNCTIONS(MPIS)}, window = {FUNCTIONS(OURS)};
  MPI_Group all;
  MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s->ranks);
  s->iterations = o->iterations;
  s->f = ours ? window : library;
  s->target = (s->rank + 1) % s->ranks;
  s->buffer = checked_malloc(PART);
  if (ours)
    MAKE(MPISHM_, strcmp(way, "moved") == 0 ? MPISHM_Malloc(PART) : checked_malloc(PART));
  else
    MAKE(PMPI_, checked_malloc(PART));
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  int before = (s->rank + s->ranks - 1) % s->ranks;
  MPI_Group_incl(all, 1, &before, &s->before);
  MPI_Group_incl(all, 1, &s->target, &s->after);
  MPI_Group_free(&all);
}

static int calls(const struct operation *o, const struct side *s) {
  return o->caller == BY_ALL || o->caller == BY_ALL_LOCKED || s->rank == 0;
}

static int is_locked(const struct operation *o, const struct side *s) {
  return o->caller == BY_ALL_LOCKED || (o->caller == BY_FIRST && s->rank == 0);
}

/* Microseconds per operation of the slowest rank. */
static double measure(const struct operation *o, struct side *s, int times) {
  double mine, slowest = 0;
  s->seconds = 0;
  if (o->caller == BY_ALL)
    s->f.Win_fence(strcmp(o->name, "8 puts, fence") == 0 ? 0 : MPI_MODE_NOSUCCEED, s->win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_locked(o, s))
    s->f.Win_lock_all(0, s->win);
  double from = MPI_Wtime();
  for (int i = 0; i < times && calls(o, s); i++)
    o->call(s);
  mine = (o->traits & TIMES_ITSELF ? s->seconds : MPI_Wtime() - from) / times / o->per_call * 1e6;
  if (is_locked(o, s))
    s->f.Win_unlock_all(s->win);
  if (o->caller == BY_ALL)
    s->f.Win_fence(MPI_MODE_NOSUCCEED, s->win);
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

/* Words of all ranks that are not zero. */
static long count_errors(const struct side *s) {
  const uint64_t *words = (const uint64_t *)s->base;
  long mine = 0, all = 0;
  for (int i = 0; i < PART / 8; i++)
    mine += words[i] != 0;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* Returns the library's errors in what it was to undo; ours has none. */
static long check(const struct operation *o, struct side *library, struct side *window) {
  enum { TIMES = 3 };
  struct side *sides[] = {library, window};
  long errors[2] = {0, 0};
  int differ;
  for (int i = 0; i < 2; i++) {
    double *numbers = (double *)sides[i]->buffer;
    for (int k = 0; k < PART / 8; k++)
      numbers[k] = k % 100 + sides[i]->rank;
    memset(sides[i]->base, 0, PART);
    sides[i]->number = 1;
    measure(o, sides[i], o->traits & IS_WHOLE ? 1 : TIMES);
  }
  differ = memcmp(library->base, window->base, PART) != 0 || memcmp(library->buffer, window->buffer, PART) != 0;
  for (int i = 0; i < 2 && o->traits & UNDOES_ITSELF; i++) {
    if (i == 0 && count_errors(library) == 0)
      fail("%s: nothing is done", o->name);
    sides[i]->number = 1;
    measure(o, sides[i], TIMES);
    errors[i] = count_errors(sides[i]);
  }
  if (errors[1] > 0 || (differ && errors[0] == 0))
    fail("%s: rank %d: not what the library does, %ld errors", o->name, window->rank, errors[1]);
  return errors[0];
}

static void run(const struct operation *operation, long bytes, const struct options *o, struct side *l,
                struct side *w) {
  l->bytes = w->bytes = bytes;
  long errors = check(operation, l, w);
  int first = operation->traits & IS_WHOLE ? 1 : 10;
  double library = measure(operation, l, first), window = measure(operation, w, first);
  int times = operation->traits & (IS_WHOLE | TIMES_ITSELF)
                  ? 1
                  : 1 + (int)(o->seconds * 1e6 / (library > window ? library : window) / operation->per_call);
  for (int i = 0; i < o->repeat; i++) {
    double us = measure(operation, l, times);
    library = us < library ? us : library;
    us = measure(operation, w, times);
    window = us < window ? us : window;
  }
  if (w->rank == 0)
    printf("%-20s %9ld %10.3f %10.3f %7.2f\n", operation->name, bytes, library, window, library / window);
  if (w->rank == 0 && errors > 0)
    printf("%-20s the library has made %ld errors\n", "", errors);
  fflush(stdout);
}

static void free_side(struct side *s, const char *way, int ours) {
  int is_programs = strcmp(way, "create") == 0 || strcmp(way, "moved") == 0;
  void *base = s->base;
  MPI_Group_free(&s->before);
  MPI_Group_free(&s->after);
  free(s->buffer);
  ours ? MPISHM_Win_free(&s->win) : PMPI_Win_free(&s->win);
  if (is_programs)
    ours ? MPISHM_Free(base) : free(base);
}

int main(int argc, char **argv) {
  struct side library = {.number = 1}, window = {.number = 1};
  int ranks;
  setenv("MPISHM_NET", "0", 1);
  MPISHM_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct options o = read_options(argc, argv);
  if (ranks < 2)
    fail("two ranks at least");
  make_side(&library, &o, 0);
  make_side(&window, &o, 1);
  if (window.rank == 0)
    printf("%d ranks; us per operation, best of %d; %s\n\n%-20s %9s %10s %10s %7s\n", ranks, o.repeat, o.way,
           "operation", "bytes", "library", "mpishm", "ratio");
  for (const struct operation *row = operations; row->name; row++) {
    if (o.only && strcmp(o.only, row->name) != 0)
      continue;
    for (int s = 0; s < (row->traits & HAS_SIZES ? o.count : 1); s++)
      run(row, row->traits & HAS_SIZES ? o.sizes[s] : 8, &o, &library, &window);
  }
  free_side(&library, o.way, 0);
  free_side(&window, o.way, 1);
  MPI_Finalize();
  return 0;
}
