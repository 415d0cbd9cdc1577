/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * onesided - time of one-sided operations, through the MPI library, through libmpishm, and by bare loads and stores in
 * a shared window, in turns in one process.
 *
 *   onesided [-only NAME] [-sizes BYTES,BYTES,...] [-way create|moved|allocate|shared] [-repeat R] [-time SECONDS]
 *            [-iterations N] [-json FILE]
 *
 * The time is that of the slowest rank, the best of R measurements of SECONDS each. In a row whose operations are
 * passive rank 0 calls, while the others wait in a barrier, which lets the library make progress. Before it is timed,
 * each call has to do to the target's memory what bare loads and stores do; what the library does otherwise is said,
 * and the row timed all the same. -iterations: of what goes on until it converges, at most.
 */
#include "fail.h"
#include "limit.h"
#include "report.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 32, FENCED = 8, CHECKED = 3 /* calls, before a row is timed */ };

struct options {
  const char *only, *way, *json;
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
  struct options o = {NULL, "allocate", NULL, {8, 64, 1 << 10, 16 << 10, 256 << 10}, 5, 7, 0, 0.02};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "-only") == 0 && *value)
      o.only = value;
    else if (strcmp(argv[i], "-way") == 0 && *value && strstr("create moved allocate shared", value))
      o.way = value;
    else if (strcmp(argv[i], "-json") == 0 && *value)
      o.json = value;
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

static void make_side(struct side *s, const struct options *o, enum sides which) {
#define MPIS(name) .name = PMPI_##name,
#define OURS(name) .name = MPISHM_##name,
  const struct functions library = {FUNCTIONS(MPIS)}, window = {FUNCTIONS(OURS)};
  const struct makers library_makers = {MAKERS(MPIS)}, window_makers = {MAKERS(OURS)};
  MPI_Group all;
  MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s->ranks);
  s->iterations = o->iterations;
  s->way = o->way;
  s->target = (s->rank + 1) % s->ranks;
  s->buffer = checked_malloc(PART);
  if (strcmp(s->way, "create") == 0 || strcmp(s->way, "moved") == 0)
    s->memory = which == MPISHM && strcmp(s->way, "moved") == 0 ? MPISHM_Malloc(PART) : checked_malloc(PART);
  s->f = which == MPISHM ? window : library;
  s->makers = which == MPISHM ? window_makers : library_makers;
  if (which == LIMIT)
    limit_make(s);
  else
    make_window(s, s->memory, PART, &s->base, &s->win);
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

static int has_limit(const struct operation *o) { return !(o->traits & HAS_NO_LIMIT); }

/* Words of all ranks, in windows and buffers, that are not the same on both sides. */
static long count_differences(const struct side *one, const struct side *other) {
  long mine = 0, all = 0;
  for (size_t i = 0; i < PART; i += 8)
    mine += (memcmp(one->base + i, other->base + i, 8) != 0) + (memcmp(one->buffer + i, other->buffer + i, 8) != 0);
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* From the same beginning on all sides. */
static void call_untimed(const struct operation *o, struct side sides[SIDES]) {
  for (int i = 0; i < SIDES - !has_limit(o); i++) {
    double *numbers = (double *)sides[i].buffer;
    for (int k = 0; k < PART / 8; k++)
      numbers[k] = k % 100 + sides[i].rank;
    memset(sides[i].base, 0, PART);
    sides[i].number = 1;
    measure(o, &sides[i], o->traits & IS_WHOLE ? 1 : CHECKED);
  }
}

/* Returns how many words the library leaves wrong: ours and the limit have to agree, and where there is no limit, ours
 * and the library. */
static long check(const struct operation *o, struct side sides[SIDES]) {
  call_untimed(o, sides);
  long wrong = count_differences(&sides[LIBRARY], &sides[MPISHM]);
  if (has_limit(o) && count_differences(&sides[LIMIT], &sides[MPISHM]) > 0)
    fail("%s: not what bare loads and stores do", o->name);
  if (!has_limit(o) && wrong > 0)
    fail("%s: not what the library does", o->name);
  if (o->traits & UNDOES_ITSELF && count_errors(&sides[MPISHM]) == 0)
    fail("%s: nothing is done", o->name);
  for (int i = 0; i < SIDES && o->traits & UNDOES_ITSELF; i++) {
    sides[i].number = 1;
    measure(o, &sides[i], CHECKED);
    long errors = count_errors(&sides[i]);
    if (i != LIBRARY && errors > 0)
      fail("%s: rank %d: %ld errors", o->name, sides[i].rank, errors);
    wrong += i == LIBRARY ? errors : 0;
  }
  return wrong;
}

static void run(const struct operation *operation, long bytes, const struct options *o, struct side sides[SIDES],
                struct report *report) {
  struct row row = {operation->name, bytes, {-1, -1, -1}, 0};
  int count = SIDES - !has_limit(operation);
  double slowest = 0;
  for (int i = 0; i < SIDES; i++)
    sides[i].bytes = bytes;
  row.errors = check(operation, sides);
  for (int i = 0; i < count; i++) {
    row.us[i] = measure(operation, &sides[i], operation->traits & IS_WHOLE ? 1 : 10);
    slowest = row.us[i] > slowest ? row.us[i] : slowest;
  }
  int times =
      operation->traits & (IS_WHOLE | TIMES_ITSELF) ? 1 : 1 + (int)(o->seconds * 1e6 / slowest / operation->per_call);
  for (int k = 0; k < o->repeat; k++)
    for (int i = 0; i < count; i++) {
      double us = measure(operation, &sides[i], times);
      row.us[i] = us < row.us[i] ? us : row.us[i];
    }
  if (sides[0].rank == 0)
    report_row(report, &row);
}

static void free_side(struct side *s, enum sides which) {
  MPI_Group_free(&s->before);
  MPI_Group_free(&s->after);
  free(s->buffer);
  if (which == LIMIT)
    limit_free();
  else
    s->makers.Win_free(&s->win);
  if (s->memory)
    which == MPISHM ? MPISHM_Free(s->memory) : free(s->memory);
}

int main(int argc, char **argv) {
  struct side sides[SIDES] = {0};
  struct report report;
  int ranks;
  setenv("MPISHM_NET", "0", 1);
  MPISHM_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct options o = read_options(argc, argv);
  if (ranks < 2)
    fail("two ranks at least");
  for (int i = 0; i < SIDES; i++)
    make_side(&sides[i], &o, i);
  if (sides[0].rank == 0)
    report_begin(&report, o.json, ranks, o.repeat, o.way);
  for (const struct operation *row = operations; row->name; row++) {
    if (o.only && strcmp(o.only, row->name) != 0)
      continue;
    for (int s = 0; s < (row->traits & HAS_SIZES ? o.count : 1); s++)
      run(row, row->traits & HAS_SIZES ? o.sizes[s] : 8, &o, sides, &report);
  }
  if (sides[0].rank == 0)
    report_end(&report);
  for (int i = 0; i < SIDES; i++)
    free_side(&sides[i], i);
  MPI_Finalize();
  return 0;
}
