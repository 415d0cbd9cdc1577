/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * transpose - transposes a matrix whose rows are spread over the ranks, in four ways.
 *
 *   mpiexec -n P transpose [-n N] [-ways ABCD] [-repeat N] [-times]
 *
 * The same exchange by a collective, and by one-sided puts of blocks, rows and elements: the smaller the pieces, the
 * less is left to rearrange, and the more there is to send. (After a case study in Sun's guide to performance with
 * MPI.)
 *
 * - matrix.c: the matrix, and how it is spread
 * - ways.c: the four ways
 */
#include "ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n, repeat, times;
  const char *ways;
} options;

static int options_read(options *o, int argc, char **argv) {
  int i;
  *o = (options){64, 2, 0, "ABCD"};
  for (i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "-times"))
      o->times = 1;
    else if (i + 1 == argc)
      return -1;
    else if (!strcmp(argv[i], "-n"))
      o->n = atoi(argv[++i]);
    else if (!strcmp(argv[i], "-repeat"))
      o->repeat = atoi(argv[++i]);
    else if (!strcmp(argv[i], "-ways"))
      o->ways = argv[++i];
    else
      return -1;
  }
  return o->n > 0 && o->repeat > 0 ? 0 : -1;
}

static void run(const layout *l, const way *w, const options *o) {
  MPI_Aint bytes = (MPI_Aint)l->rows * l->n * (MPI_Aint)sizeof(double);
  double *a = matrix_create(l), *b = matrix_create(l), *c, *d, error;
  MPI_Win window;
  int i;
  MPI_Alloc_mem(bytes, MPI_INFO_NULL, &c);
  MPI_Alloc_mem(bytes, MPI_INFO_NULL, &d);
  MPI_Win_create(w->is_direct ? d : c, bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  matrix_fill(l, a);
  for (i = 0; i < o->repeat; i++) {
    phases t;
    double start, all;
    memset(c, 0, bytes);
    memset(d, 0, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    t = w->run(l, a, b, c, d, window);
    MPI_Barrier(MPI_COMM_WORLD);
    all = MPI_Wtime() - start;
    error = matrix_error(l, d);
    if (l->rank == 0 && o->times)
      fprintf(stderr, "%c: %.3e seconds; on rank 0 %.3e gathering, %.3e exchanging, %.3e transposing\n", w->name, all,
              t.gather, t.exchange, t.rearrange);
    if (l->rank == 0)
      printf("%c: %s: error %g\n", w->name, w->what, error);
  }
  MPI_Win_free(&window);
  MPI_Free_mem(c);
  MPI_Free_mem(d);
  free(a);
  free(b);
}

int main(int argc, char **argv) {
  options o;
  layout l;
  int i;
  MPI_Init(&argc, &argv);
  if (options_read(&o, argc, argv)) {
    fprintf(stderr, "usage: transpose [-n N] [-ways ABCD] [-repeat N] [-times]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  layout_create(&l, o.n);
  if (l.rank == 0)
    printf("%d by %d elements on %d ranks\n", l.n, l.n, l.ranks);
  for (i = 0; i < number_of_ways; i++)
    if (strchr(o.ways, ways[i].name))
      run(&l, &ways[i], &o);
  MPI_Finalize();
  return 0;
}
