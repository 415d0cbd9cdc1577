/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rows of the benchmark that are small programs: those of H. Zhou, K. Idrees, J. Gracia, "Leveraging MPI-3
 * shared-memory extensions for efficient PGAS runtime systems" (Euro-Par 2015), and a target that computes.
 */
#include "programs.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- RandomAccess, by the rules of HPCC: words at random places of a table that lies on all ranks are combined with
 * random numbers by exclusive or; no rank is ahead of itself by more than 1024 of them. ---- */

/* The next number of HPCC's sequence. */
static uint64_t after(uint64_t number) { return number << 1 ^ ((int64_t)number < 0 ? 7 : 0); }

/* Ranks begin at different places of the sequence. */
static uint64_t begin(int rank) {
  uint64_t number = 1;
  for (long i = 0; i < (1L << 16) * (rank + 1); i++)
    number = after(number);
  return number;
}

void random_access(struct side *s) {
  static uint64_t values[RANDOM_UPDATES];
  uint64_t words = PART / sizeof(uint64_t) * (uint64_t)s->ranks;
  if (s->number == 1)
    s->number = begin(s->rank);
  for (int i = 0; i < RANDOM_UPDATES; i++) {
    values[i] = s->number = after(s->number);
    uint64_t place = s->number % words;
    s->f.Accumulate(&values[i], 1, MPI_UINT64_T, (int)(place % (uint64_t)s->ranks),
                    (MPI_Aint)(place / (uint64_t)s->ranks * sizeof(uint64_t)), 1, MPI_UINT64_T, MPI_BXOR, s->win);
  }
  s->f.Win_flush_all(s->win);
}

/* ---- Poisson's equation on a square grid: a five-point stencil by Gauss and Seidel, in place, until no cell changes
 * by more than `tolerance`. Ranks have rows that follow one another, and put their outer ones to their neighbours: two
 * places for each, used in turns, so that nobody overwrites what is still read. ---- */

struct grid {
  int n, first, rows; /* of this rank's */
  float *halos, *cells;
};

static int first_row(int n, int rank, int ranks) { return (int)((long)n * rank / ranks); }

/* The row that the neighbour above (0) or below (1) has put in iterations of this parity. */
static size_t halo_at(int n, int parity, int side) { return (size_t)(2 * parity + side) * (size_t)n; }

static struct grid make_grid(struct side *s, int n) {
  struct grid g = {n, first_row(n, s->rank, s->ranks), 0, (float *)s->base, NULL};
  g.rows = first_row(n, s->rank + 1, s->ranks) - g.first;
  g.cells = g.halos + 4 * (size_t)n;
  memset(s->base, 0, sizeof(float) * (size_t)n * (4 + (size_t)g.rows));
  for (int i = 0; s->rank == 0 && i < n; i++)
    g.cells[i] = 1;
  return g;
}

/* The largest change of a cell. */
static float sweep(const struct grid *g, int parity) {
  size_t n = (size_t)g->n;
  float most = 0;
  for (int i = 0; i < g->rows; i++) {
    float *row = g->cells + (size_t)i * n;
    const float *above = i > 0 ? row - n : g->halos + halo_at(g->n, parity, 0);
    const float *below = i < g->rows - 1 ? row + n : g->halos + halo_at(g->n, parity, 1);
    if (g->first + i == 0 || g->first + i == g->n - 1)
      continue;
    for (size_t j = 1; j + 1 < n; j++) {
      float cell = (above[j] + below[j] + row[j - 1] + row[j + 1]) / 4, change = fabsf(cell - row[j]);
      row[j] = cell;
      most = change > most ? change : most;
    }
  }
  return most;
}

static void put_row(const struct side *s, const struct grid *g, const float *row, int to, size_t halo) {
  if (to >= 0 && to < s->ranks)
    s->f.Put(row, g->n, MPI_FLOAT, to, (MPI_Aint)(halo * sizeof(float)), g->n, MPI_FLOAT, s->win);
}

static void stencil(struct side *s, int n, float tolerance) {
  enum { BETWEEN = 10 }; /* iterations from one look at the changes to the next */
  struct grid g = make_grid(s, n);
  float most = 1;
  s->f.Win_fence(0, s->win);
  for (int i = 0; most > tolerance && (s->iterations == 0 || i < s->iterations); i++) {
    float mine = sweep(&g, i % 2);
    int next = (i + 1) % 2;
    put_row(s, &g, g.cells, s->rank - 1, halo_at(n, next, 1));
    put_row(s, &g, g.cells + (size_t)(g.rows - 1) * (size_t)n, s->rank + 1, halo_at(n, next, 0));
    s->f.Win_fence(0, s->win);
    if (i % BETWEEN == BETWEEN - 1)
      MPI_Allreduce(&mine, &most, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
  }
}

void stencil_of_64(struct side *s) { stencil(s, 64, 1e-4F); }
void stencil_of_1k(struct side *s) { stencil(s, 1024, 1e-3F); }

/* ---- The target computes for 20 ms while the origin puts and flushes; the origin's time counts. ---- */

void put_to_busy(struct side *s) {
  enum { BYTES = 8 };
  double from = MPI_Wtime();
  if (s->rank == 0) {
    s->f.Put(s->buffer, BYTES, MPI_BYTE, s->target, 0, BYTES, MPI_BYTE, s->win);
    s->f.Win_flush(s->target, s->win);
    s->seconds += MPI_Wtime() - from;
  } else {
    while (MPI_Wtime() - from < 0.02)
      ;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
