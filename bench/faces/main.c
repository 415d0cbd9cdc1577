/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * faces - time to exchange the six faces of a cube of doubles, packed by hand and by datatype, through the MPI library
 * and as mpishm-rewrite rewrites that, in turns in one process.
 *
 *   faces [-sizes N,N,...] [-repeat R] [-time SECONDS]
 *
 * The ranks are a torus in three dimensions; where a dimension has a single rank, its faces go to the next and the
 * previous rank instead of back to the same one. Packing and unpacking count, and are timed alone, too. The time is
 * that of the slowest rank, the best of R measurements of SECONDS each; "gain" is the median of what zero copy gains
 * over the packed faces rewritten without, round by round: the machine may change from one round to the next.
 */
#include "faces.h"
#include "fail.h"
#include "options.h"

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { PACKED, REWRITTEN, ZERO_COPY, BY_TYPE, BY_TYPE_REWRITTEN, PACKING, PLACED, LIMIT, WAYS };

static void place_neighbours(struct cube *cube) {
  int rank, ranks, dims[3] = {0, 0, 0}, periods[3] = {1, 1, 1};
  MPI_Comm torus = MPI_COMM_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &torus);
  for (int d = 0; d < 3; d++) {
    int *low = &cube->neighbour[2 * d], *high = &cube->neighbour[2 * d + 1];
    MPI_Cart_shift(torus, d, 1, low, high);
    if (dims[d] == 1) {
      *low = (rank + ranks - 1) % ranks;
      *high = (rank + 1) % ranks;
    }
  }
  MPI_Comm_free(&torus);
}

static struct cube make_cube(int n) {
  const size_t cells = (size_t)(n + 2) * (size_t)(n + 2) * (size_t)(n + 2);
  struct cube cube = {.n = n, .cells = checked_malloc((long)(cells * sizeof(double)))};
  for (size_t i = 0; i < cells; i++)
    cube.cells[i] = -1;
  place_neighbours(&cube);
  return cube;
}

/* ---- Whether the right cells arrive. ---- */

static double content(int rank, int f, int cell, int stamp) { return rank + 100.0 * f + 1000.0 * stamp + 1e-6 * cell; }

/* Face by face, so that of edges and corners, which belong to several, the last one writes what all must see. */
static void write_layer(struct cube *cube, int rank, int stamp) {
  for (int f = 0; f < FACES; f++) {
    const struct plane p = plane_of(cube->n, f, 1);
    for (int j = 0; j < cube->n; j++)
      for (int i = 0; i < cube->n; i++)
        cube->cells[p.first + j * p.outer + i * p.inner] = content(rank, f, j * cube->n + i, stamp);
  }
}

static void check(const struct exchange *way, struct cube *cube, int rank) {
  struct cube neighbours = *cube;
  const size_t side = (size_t)cube->n + 2;
  neighbours.cells = checked_malloc((long)(side * side * side * sizeof(double)));
  for (int stamp = 1; stamp <= 3; stamp++) {
    write_layer(cube, rank, stamp);
    way->exchange();
    for (int f = 0; f < FACES; f++) {
      write_layer(&neighbours, cube->neighbour[f], stamp);
      const struct plane ghosts = plane_of(cube->n, f, 0), sent = plane_of(cube->n, f ^ 1, 1);
      for (int j = 0; j < cube->n; j++)
        for (int i = 0; i < cube->n; i++)
          if (cube->cells[ghosts.first + j * ghosts.outer + i * ghosts.inner] !=
              neighbours.cells[sent.first + j * sent.outer + i * sent.inner])
            fail("%s: rank %d, %d cells cubed, face %d: cell %d, %d is wrong", way->name, rank, cube->n, f, i, j);
    }
  }
  free(neighbours.cells);
}

/* ---- Times. ---- */

/* What packing and unpacking take with no message between them: nobody gets below that. */
static double *scratch;
static struct cube *scratch_cube;
static void pack_only(void) {
  const int n = scratch_cube->n;
  for (int f = 0; f < FACES; f++) {
    const struct plane from = plane_of(n, f, 1), to = plane_of(n, f, 0);
    double *place = scratch + (size_t)f * (size_t)n * (size_t)n;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        place[j * n + i] = scratch_cube->cells[from.first + j * from.outer + i * from.inner];
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        scratch_cube->cells[to.first + j * to.outer + i * to.inner] = place[j * n + i];
  }
}
static void pack_set_up(struct cube *cube) {
  scratch_cube = cube;
  scratch = checked_malloc((long)(FACES * (size_t)cube->n * (size_t)cube->n * sizeof(double)));
}
static void pack_tear_down(void) { free(scratch); }
static const struct exchange packing = {
    .name = "packing", .set_up = pack_set_up, .exchange = pack_only, .tear_down = pack_tear_down};

static const struct exchange *const ways[WAYS] = {
    &packed, &packed_rewritten, &packed_zero_copy, &by_type, &by_type_rewritten, &packing, &placed, &limit};

/* All but the limit, where not all ranks share memory. */
static int count_ways(void) {
  MPI_Comm node;
  int here, ranks;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &here);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_free(&node);
  return here == ranks ? WAYS : WAYS - 1;
}

/* Microseconds per exchange of the slowest rank. */
static double measure(const struct exchange *way, int times) {
  double mine, slowest = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double from = MPI_Wtime();
  for (int i = 0; i < times; i++)
    way->exchange();
  mine = (MPI_Wtime() - from) / times * 1e6;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print(int n, const double best[WAYS], double gain, bool has_limit) {
  const double original = best[PACKED];
  char of_limit[32] = "-";
  if (has_limit)
    snprintf(of_limit, sizeof of_limit, "%.1f", best[LIMIT]);
  printf("%5d %11ld %11.1f %11.1f %11.1f %7.2f %11.1f %7.2f %7.2f %11.1f %7.2f %11s %11.1f %11.1f %7.2f\n", n,
         (long)n * n * (long)sizeof(double), best[PACKING], original, best[REWRITTEN], original / best[REWRITTEN],
         best[ZERO_COPY], original / best[ZERO_COPY], gain, best[PLACED], original / best[PLACED], of_limit,
         best[BY_TYPE], best[BY_TYPE_REWRITTEN], best[BY_TYPE] / best[BY_TYPE_REWRITTEN]);
  fflush(stdout);
}

static void run(int n, const struct options *o, int rank) {
  const int count = count_ways();
  double best[WAYS], *gains = checked_malloc((long)((size_t)o->repeat * sizeof(double)));
  int times[WAYS];
  struct cube cube = make_cube(n);
  for (int w = 0; w < count; w++) {
    ways[w]->set_up(&cube);
    if (ways[w] != &packing)
      check(ways[w], &cube, rank);
    best[w] = measure(ways[w], 2);
    times[w] = 1 + (int)(o->seconds * 1e6 / best[w]);
  }
  for (int r = 0; r < o->repeat; r++) {
    double now[WAYS];
    for (int k = 0; k < count; k++) {
      const int w = r % 2 == 0 ? k : count - 1 - k; /* neither of two comes always first */
      now[w] = measure(ways[w], times[w]);
      best[w] = now[w] < best[w] ? now[w] : best[w];
    }
    gains[r] = now[REWRITTEN] / now[ZERO_COPY];
  }
  for (int w = 0; w < count; w++)
    ways[w]->tear_down();
  free(cube.cells);
  qsort(gains, (size_t)o->repeat, sizeof *gains, compare);
  if (rank == 0)
    print(n, best, gains[o->repeat / 2], count == WAYS);
  free(gains);
}

int main(int argc, char **argv) {
  int rank, ranks;
  setenv("MPISHM_NET", "0", 0); /* the original patterns are to be MPI's alone */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct options o = {{16, 32, 64, 128, 256}, 5, 7, 0.05};
  read_options(argc, argv, &o, INT_MAX);
  if (rank == 0)
    printf(
        "%d ranks; us per exchange of six faces, best of %d\n\n%5s %11s %11s %11s %11s %7s %11s %7s %7s %11s %7s %11s "
        "%11s %11s %7s\n",
        ranks, o.repeat, "n", "bytes/face", "packing", "packed", "rewritten", "ratio", "zero copy", "ratio", "gain",
        "placed", "ratio", "limit", "by type", "rewritten", "ratio");
  for (int i = 0; i < o.count; i++)
    run(o.sizes[i], &o, rank);
  MPI_Finalize();
  return 0;
}
