/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * blocking - time of blocking messages between two ranks, through the MPI library and as mpishm-rewrite rewrites them,
 * in turns in one process.
 *
 *   blocking [-sizes N,N,...] [-repeat R] [-time SECONDS]
 *
 * Each time is that of the slowest rank, over SECONDS. In each of R rounds both are timed one after the other; printed
 * are the best times of each, and the median and the quartiles of the rounds' ratios, since a state of the machine in
 * which a cache line costs more, or less, seldom begins or ends within one round.
 */
#include "blocking.h"
#include "fail.h"
#include "options.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_ROUNDS = 1000 };

static void check(const struct patterns *build, int p, int bytes, int rank) {
  const struct pattern *pattern = &build->pattern[p];
  for (int times = 0; times < 3; times++) {
    pattern->run();
    if (rank % 2 == 0 && !pattern->to_first)
      continue;
    for (int i = 0; i < pattern->messages * bytes; i++)
      if (build->in()[i] != (unsigned char)(build->stamp() + i / bytes))
        fail("%s: rank %d, message %d of %d bytes: byte %d is wrong", pattern->name, rank, i / bytes, bytes, i % bytes);
  }
}

/* Microseconds per run of the slowest rank. */
static double measure(const struct pattern *pattern, int times) {
  double mine, slowest = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double from = MPI_Wtime();
  for (int i = 0; i < times; i++)
    pattern->run();
  mine = (MPI_Wtime() - from) / times * 1e6;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void run(int p, int bytes, const struct options *o, int rank) {
  static double ratio[MAX_ROUNDS];
  const struct pattern *plain = &patterns.pattern[p], *rewritten = &patterns_rewritten.pattern[p];
  double best = 0, best_rewritten = 0;
  check(&patterns, p, bytes, rank);
  check(&patterns_rewritten, p, bytes, rank);
  int times = 1 + (int)(o->seconds * 1e6 / measure(plain, 5));
  measure(rewritten, times); /* its memory is made in the first */
  for (int r = 0; r < o->repeat; r++) {
    double us = measure(plain, times), us_rewritten = measure(rewritten, times);
    best = r == 0 || us < best ? us : best;
    best_rewritten = r == 0 || us_rewritten < best_rewritten ? us_rewritten : best_rewritten;
    ratio[r] = us / us_rewritten;
  }
  qsort(ratio, (size_t)o->repeat, sizeof ratio[0], compare);
  if (rank == 0)
    printf("%-16s %8d %9.2f %9.2f %6.2f %6.2f to %.2f\n", plain->name, bytes, best, best_rewritten,
           ratio[o->repeat / 2], ratio[o->repeat / 4], ratio[o->repeat * 3 / 4]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  int rank, ranks;
  setenv("MPISHM_NET", "0", 0); /* the original patterns are to be MPI's alone */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct options o = {{8, 64, 256, 1024, 2048, 4096, 8192, 16384}, 8, 31, 0.002};
  read_options(argc, argv, &o, MAX_ROUNDS);
  if (ranks % 2 != 0)
    fail("an even number of ranks is needed, not %d", ranks);
  if (rank == 0)
    printf("%d ranks; us, best of %d\n\n%-16s %8s %9s %9s %6s %s\n", ranks, o.repeat, "pattern", "bytes", "plain",
           "rewritten", "ratio", "quartiles");
  for (int p = 0; p < PATTERNS; p++)
    for (int i = 0; i < o.count; i++) {
      patterns.set_up(o.sizes[i]);
      patterns_rewritten.set_up(o.sizes[i]);
      run(p, o.sizes[i], &o, rank);
      patterns.tear_down();
      patterns_rewritten.tear_down();
    }
  MPI_Finalize();
  return 0;
}
