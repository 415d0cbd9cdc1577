/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * halo - time per halo exchange, over message sizes, in plain MPI.
 *
 *   mpiexec -n P halo [-npartner N] [-dimension 1] [-n_avg N] [-repeat N] [-max_bytes B]
 *
 *   -npartner N    partners of each rank: N/2 ranks to the left and as many to the right, ends joined (8)
 *   -dimension 1   how partners are placed; a line is all there is so far
 *   -n_avg N       exchanges that one measurement averages over (1000; fewer for messages above 64 KiB)
 *   -repeat N      measurements per size, of which the best counts (5)
 *   -max_bytes B   largest message; sizes go up from 4 bytes by factors of 4 (1048576)
 *
 * With fewer ranks than partners several partners are the same rank; each has its own message and buffer all the same.
 * One exchange is a receive and a send for every partner, then MPI_Waitall. The time is that of the slowest rank. What
 * arrives is checked after each size.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTNERS = 32, LARGE = 65536 };

struct options {
  int npartner, dimension, n_avg, repeat, max_bytes;
};

struct halo {
  int rank, npartner;
  int partner[MAX_PARTNERS];
  unsigned char *send[MAX_PARTNERS], *receive[MAX_PARTNERS];
};

static struct options read_options(int argc, char **argv) {
  struct options o = {8, 1, 1000, 5, 1 << 20};
  const struct {
    const char *name;
    int *value;
    int least, most;
  } known[] = {{"-npartner", &o.npartner, 2, MAX_PARTNERS},
               {"-dimension", &o.dimension, 1, 1},
               {"-n_avg", &o.n_avg, 1, 1 << 30},
               {"-repeat", &o.repeat, 1, 1 << 20},
               {"-max_bytes", &o.max_bytes, 4, 1 << 28}};
  const int count = (int)(sizeof known / sizeof known[0]);

  for (int i = 1; i < argc; i += 2) {
    int k = 0;
    while (k < count && strcmp(argv[i], known[k].name) != 0)
      k++;
    if (k == count || i + 1 == argc) {
      fprintf(stderr, "halo: unknown option or no value: %s\n", argv[i]);
      MPI_Abort(MPI_COMM_WORLD, 2);
      exit(2);
    }
    char *end = NULL;
    long value = strtol(argv[i + 1], &end, 10);
    if (*end != '\0' || value < known[k].least || value > known[k].most) {
      fprintf(stderr, "halo: %s takes %d to %d, not %s\n", argv[i], known[k].least, known[k].most, argv[i + 1]);
      MPI_Abort(MPI_COMM_WORLD, 2);
      exit(2);
    }
    *known[k].value = (int)value;
  }
  if (o.npartner % 2 != 0) {
    fprintf(stderr, "halo: -npartner must be even: as many to the left as to the right\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return o;
}

static unsigned char *buffer(int bytes) {
  unsigned char *memory = malloc((size_t)bytes);
  if (memory == NULL) {
    fprintf(stderr, "halo: no memory for %d bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
  }
  memset(memory, 0, (size_t)bytes);
  return memory;
}

/* Partner 2k is k+1 ranks to the left, partner 2k+1 as many to the right: j and j^1 are opposite directions. */
static void set_up(struct halo *h, const struct options *o) {
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &h->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  h->npartner = o->npartner;
  for (int j = 0; j < h->npartner; j++) {
    int distance = j / 2 + 1;
    int shifted = j % 2 == 0 ? h->rank - distance % size + size : h->rank + distance;
    h->partner[j] = shifted % size;
    h->send[j] = buffer(o->max_bytes);
    h->receive[j] = buffer(o->max_bytes);
  }
}

static void exchange(struct halo *h, int bytes) {
  MPI_Request requests[2 * MAX_PARTNERS];
  int n = 0;
  for (int j = 0; j < h->npartner; j++)
    MPI_Irecv(h->receive[j], bytes, MPI_BYTE, h->partner[j], j ^ 1, MPI_COMM_WORLD, &requests[n++]);
  for (int j = 0; j < h->npartner; j++)
    MPI_Isend(h->send[j], bytes, MPI_BYTE, h->partner[j], j, MPI_COMM_WORLD, &requests[n++]);
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

static unsigned char pattern(int rank, int direction, int bytes, int i) {
  return (unsigned char)(rank * 31 + direction * 7 + bytes % 251 + i);
}

static void fill(struct halo *h, int bytes) {
  for (int j = 0; j < h->npartner; j++)
    for (int i = 0; i < bytes; i++)
      h->send[j][i] = pattern(h->rank, j, bytes, i);
}

static void check(const struct halo *h, int bytes) {
  for (int j = 0; j < h->npartner; j++)
    for (int i = 0; i < bytes; i++)
      if (h->receive[j][i] != pattern(h->partner[j], j ^ 1, bytes, i)) {
        fprintf(stderr, "halo: rank %d, %d bytes from rank %d: byte %d is wrong\n", h->rank, bytes, h->partner[j], i);
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
}

/* Microseconds per exchange of the slowest rank. */
static double measure(struct halo *h, int bytes, int n_avg) {
  double mine = 0, slowest = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int i = 0; i < n_avg; i++)
    exchange(h, bytes);
  mine = (MPI_Wtime() - start) / n_avg * 1e6;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static void print_header(const struct halo *h) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0, size = 0;
  MPI_Get_library_version(version, &length);
  version[strcspn(version, "\n")] = '\0';
  for (char *c = version; *c != '\0'; c++)
    if (*c == '\t')
      *c = ' ';
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (h->rank == 0)
    printf("# %s; %d ranks, %d partners\n# bytes us_per_exchange\n", version, size, h->npartner);
}

int main(int argc, char **argv) {
  struct halo h;
  MPI_Init(&argc, &argv);
  struct options o = read_options(argc, argv);
  set_up(&h, &o);
  print_header(&h);
  for (int bytes = 4; bytes <= o.max_bytes; bytes *= 4) {
    int n_avg = bytes > LARGE ? o.n_avg / 10 + 1 : o.n_avg;
    double best = 0;
    fill(&h, bytes);
    exchange(&h, bytes); /* first contact is not what is measured */
    for (int i = 0; i < o.repeat; i++) {
      double us = measure(&h, bytes, n_avg);
      best = i == 0 || us < best ? us : best;
    }
    check(&h, bytes);
    if (h.rank == 0) {
      printf("%d %.3f\n", bytes, best);
      fflush(stdout);
    }
  }
  for (int j = 0; j < h.npartner; j++) {
    free(h.send[j]);
    free(h.receive[j]);
  }
  MPI_Finalize();
  return 0;
}
