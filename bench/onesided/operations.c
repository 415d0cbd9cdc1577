/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rows of the benchmark.
 */
#include "programs.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PUTS = 8, MANY = 64, UPDATES = 64, WORDS = PART / 8 };

static void put(struct side *s) {
  s->f.Put(s->buffer, (int)s->bytes, MPI_BYTE, s->target, 0, (int)s->bytes, MPI_BYTE, s->win);
  s->f.Win_flush(s->target, s->win);
}

static void get(struct side *s) {
  s->f.Get(s->buffer, (int)s->bytes, MPI_BYTE, s->target, 0, (int)s->bytes, MPI_BYTE, s->win);
  s->f.Win_flush(s->target, s->win);
}

/* Where one of many goes: one after the other, as long as there is room. */
static MPI_Aint place_of(const struct side *s, int i) { return i * s->bytes % (PART - PART % s->bytes); }

static void put_many(struct side *s) {
  for (int i = 0; i < MANY; i++)
    s->f.Put(s->buffer + place_of(s, i), (int)s->bytes, MPI_BYTE, s->target, place_of(s, i), (int)s->bytes, MPI_BYTE,
             s->win);
  s->f.Win_flush(s->target, s->win);
}

static void get_many(struct side *s) {
  for (int i = 0; i < MANY; i++)
    s->f.Get(s->buffer + place_of(s, i), (int)s->bytes, MPI_BYTE, s->target, place_of(s, i), (int)s->bytes, MPI_BYTE,
             s->win);
  s->f.Win_flush(s->target, s->win);
}

static void accumulate(struct side *s) {
  int n = (int)(s->bytes / (long)sizeof(double));
  s->f.Accumulate(s->buffer, n, MPI_DOUBLE, s->target, 0, n, MPI_DOUBLE, MPI_SUM, s->win);
  s->f.Win_flush(s->target, s->win);
}

/* What was there comes to lie behind what is added to it. */
static void get_accumulate(struct side *s) {
  int n = (int)(s->bytes / (long)sizeof(double));
  s->f.Get_accumulate(s->buffer, n, MPI_DOUBLE, s->buffer + s->bytes, n, MPI_DOUBLE, s->target, 0, n, MPI_DOUBLE,
                      MPI_SUM, s->win);
  s->f.Win_flush(s->target, s->win);
}

static void fetch(struct side *s) {
  int64_t one = 1, got;
  s->f.Fetch_and_op(&one, &got, MPI_INT64_T, s->target, 0, MPI_SUM, s->win);
  s->f.Win_flush(s->target, s->win);
}

static void swap(struct side *s) {
  int64_t one = 1, zero = 0, got;
  s->f.Compare_and_swap(&one, &zero, &got, MPI_INT64_T, s->target, 0, s->win);
  s->f.Win_flush(s->target, s->win);
}

/* As HPCC's RandomAccess updates a table, word by word. */
static void update(struct side *s) {
  static uint64_t values[UPDATES];
  for (int i = 0; i < UPDATES; i++) {
    s->number = s->number * 6364136223846793005UL + 1442695040888963407UL;
    values[i] = s->number;
    s->f.Accumulate(&values[i], 1, MPI_UINT64_T, s->target, (MPI_Aint)(s->number >> 40) % WORDS * 8, 1, MPI_UINT64_T,
                    MPI_BXOR, s->win);
  }
  s->f.Win_flush(s->target, s->win);
}

static void lock(struct side *s) {
  s->f.Win_lock(MPI_LOCK_EXCLUSIVE, s->target, 0, s->win);
  s->f.Put(s->buffer, (int)s->bytes, MPI_BYTE, s->target, 0, (int)s->bytes, MPI_BYTE, s->win);
  s->f.Win_unlock(s->target, s->win);
}

static void fence(struct side *s) {
  for (int i = 0; i < PUTS; i++)
    s->f.Put(s->buffer + i * s->bytes, (int)s->bytes, MPI_BYTE, s->target, i * s->bytes, (int)s->bytes, MPI_BYTE,
             s->win);
  s->f.Win_fence(0, s->win);
}

static void post_start(struct side *s) {
  s->f.Win_post(s->before, 0, s->win);
  s->f.Win_start(s->after, 0, s->win);
  s->f.Put(s->buffer, (int)s->bytes, MPI_BYTE, s->target, 0, (int)s->bytes, MPI_BYTE, s->win);
  s->f.Win_complete(s->win);
  s->f.Win_wait(s->win);
}

void make_window(const struct side *s, char *memory, MPI_Aint bytes, char **base, MPI_Win *win) {
  *base = memory;
  if (strcmp(s->way, "allocate") == 0)
    s->makers.Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, base, win);
  else if (strcmp(s->way, "shared") == 0)
    s->makers.Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, base, win);
  else
    s->makers.Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win);
}

/* Of a page. */
static void make_and_free(struct side *s) {
  enum { BYTES = 4096 };
  MPI_Win win;
  char *base;
  make_window(s, s->base, BYTES, &base, &win);
  s->makers.Win_free(&win);
}

const struct operation operations[] = {
    {"put, flush", HAS_SIZES, BY_FIRST, 1, put},
    {"get, flush", HAS_SIZES, BY_FIRST, 1, get},
    {"64 puts, flush", HAS_SIZES, BY_FIRST, MANY, put_many},
    {"64 gets, flush", HAS_SIZES, BY_FIRST, MANY, get_many},
    {"accumulate, flush", HAS_SIZES, BY_FIRST, 1, accumulate},
    {"get accumulate, flush", HAS_SIZES, BY_FIRST, 1, get_accumulate},
    {"fetch and op", 0, BY_FIRST, 1, fetch},
    {"compare and swap", 0, BY_FIRST, 1, swap},
    {"random updates", 0, BY_FIRST, UPDATES, update},
    {"lock, put, unlock", HAS_SIZES, BY_FIRST_WITH_LOCK, 1, lock},
    {"8 puts, fence", HAS_SIZES, BY_ALL, 1, fence},
    {"post, put, wait", HAS_SIZES, BY_ALL, 1, post_start},
    {"make, free", HAS_NO_LIMIT, BY_ALL, 1, make_and_free},
    {"random access", UNDOES_ITSELF, BY_ALL_LOCKED, RANDOM_UPDATES, random_access},
    {"put, busy target", TIMES_ITSELF, BY_ALL_LOCKED, 1, put_to_busy},
    {"stencil, 64 x 64", IS_WHOLE, BY_ALL, 1, stencil_of_64},
    {"stencil, 1K x 1K", IS_WHOLE, BY_ALL, 1, stencil_of_1k},
    {NULL, 0, BY_FIRST, 0, NULL},
};
