/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * halo - time per halo exchange, over message sizes, for every pattern in turn. `halo -help` lists the options.
 *
 * It rebuilds the halo test of the benchmark MPPTEST as "An Introduction to MPI-3 Shared Memory Programming" extended
 * it (see mpi3shm.h), with more patterns. All of them run in one process, in turns, so that they see the same machine.
 */
#include "fail.h"
#include "halo.h"
#include "lockstep.h"
#include "options.h"
#include "report.h"
#include "verify.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 65536 };

static const struct pattern *const all_patterns[] = {&waitall,           &persistent,           &neighbor_alltoallv,
                                                     &mpi3shm_lockall,   &mpi3shm_lock,         &mpi3shm_fence,
#ifdef HALO_REWRITTEN
                                                     &waitall_rewritten, &persistent_rewritten,
#endif
                                                     &limit_push,        &limit_eager};

/* A pattern with its own buffers. */
struct runner {
  const struct pattern *pattern;
  struct halo halo;
};

void point_buffers(struct halo *h, unsigned char *send, unsigned char *receive) {
  for (int j = 0; j < h->npartner; j++) {
    h->send[j] = send + (long)j * h->max_bytes;
    h->receive[j] = receive + (long)j * h->max_bytes;
  }
}

static struct halo describe_halo(const struct options *o, struct machine *machine) {
  struct halo h = {.npartner = o->npartner, .max_bytes = o->max_bytes, .alloc_mem = o->alloc_mem};
  MPI_Comm node = MPI_COMM_NULL;
  int on_node = 0, node_rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &h.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &h.ranks);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, h.rank, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &on_node);
  MPI_Comm_rank(node, &node_rank);
  *machine = describe_machine(node);
  MPI_Comm_free(&node);
  int leads = node_rank == 0, crowded = on_node > machine->cores;
  MPI_Allreduce(&leads, &h.nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&crowded, &h.crowded, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  place_partners(&h, o->dimension);
  return h;
}

static int is_listed(const char *name, const char *list) {
  size_t length = strlen(name);
  for (const char *at = list; at != NULL; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
      return 1;
  }
  return 0;
}

/* Sets up the patterns that were asked for and can run here; returns their number. */
static int set_up_patterns(struct runner runners[], const struct options *o, const struct halo *h) {
  const int known = (int)(sizeof all_patterns / sizeof all_patterns[0]);
  int count = 0;
  for (int i = 0; i < known; i++) {
    struct runner *r = &runners[count];
    if (o->patterns != NULL && !is_listed(all_patterns[i]->name, o->patterns))
      continue;
    *r = (struct runner){all_patterns[i], *h};
    if (r->pattern->set_up(&r->halo))
      count++;
    else if (h->rank == 0)
      printf("# %s is left out: the ranks are on several nodes\n", r->pattern->name);
  }
  if (count == 0)
    fail("there is no pattern to run");
  return count;
}

static void exchange(const struct pattern *p) {
  if (p->start != NULL)
    p->start();
  p->finish();
}

static void end(const struct pattern *p) {
  if (p->end != NULL)
    p->end();
}

/* More exchanges than any pattern has buffers in turn, each with other contents. It also makes first contact. */
static void check(const struct runner *r, int bytes) {
  const int rounds = bytes > LARGE ? 2 : 9;
  r->pattern->begin(bytes);
  for (int stamp = 1; stamp <= rounds; stamp++) {
    fill(&r->halo, bytes, stamp);
    exchange(r->pattern);
    verify(&r->halo, bytes, stamp, r->pattern->name);
  }
  end(r->pattern);
}

/* Microseconds per exchange of the slowest rank. */
static double measure(const struct runner *r, int bytes, int n_avg, int touch) {
  const struct pattern *p = r->pattern;
  double mine = 0, slowest = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double from = MPI_Wtime();
  p->begin(bytes);
  for (int i = 0; i < n_avg; i++) {
    if (touch)
      write_messages(&r->halo, bytes, i);
    exchange(p);
    if (touch)
      read_messages(&r->halo, bytes);
  }
  end(p);
  mine = (MPI_Wtime() - from) / n_avg * 1e6;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static void count(const struct runner *r, int bytes, int exchanges) {
  r->pattern->begin(bytes);
  for (int i = 0; i < exchanges; i++)
    exchange_in_lockstep(r->pattern);
  counted_all();
  end(r->pattern);
}

static int runs(const struct pattern *p, int bytes) { return p->most_bytes == 0 || bytes <= p->most_bytes; }

static void run_size(struct report *report, int size, const struct runner runners[], const struct options *o) {
  const int bytes = report->bytes[size], n_avg = bytes > LARGE ? o->n_avg / 10 + 1 : o->n_avg;
  for (int p = 0; p < report->npatterns; p++) {
    report->us[size][p] = -1;
    if (runs(runners[p].pattern, bytes))
      check(&runners[p], bytes);
  }
  for (int i = 0; i < o->repeat; i++)
    for (int p = 0; p < report->npatterns; p++) {
      if (!runs(runners[p].pattern, bytes))
        continue;
      if (o->count > 0) {
        count(&runners[p], bytes, o->count);
        continue;
      }
      double us = measure(&runners[p], bytes, n_avg, o->touch), *best = &report->us[size][p];
      *best = *best < 0 || us < *best ? us : *best;
    }
}

static void run(const struct options *o, const struct halo *h, const struct machine *machine,
                const struct runner runners[], int count) {
  struct report report = {.options = o, .halo = h, .machine = *machine, .npatterns = count};
  for (int p = 0; p < count; p++)
    report.patterns[p] = runners[p].pattern->name;
  if (h->rank == 0)
    print_heading(&report);
  for (long bytes = o->min_bytes; bytes <= o->max_bytes; bytes *= o->logscale ? 2 : 4) {
    report.bytes[report.nsizes] = (int)bytes;
    run_size(&report, report.nsizes, runners, o);
    if (h->rank == 0)
      print_row(&report, report.nsizes);
    report.nsizes++;
  }
  if (h->rank == 0 && o->csv != NULL)
    write_csv(&report, o->csv);
  if (h->rank == 0 && o->json != NULL)
    write_json(&report, o->json);
}

int main(int argc, char **argv) {
  static struct runner runners[MAX_PATTERNS];
  int rank = 0;
  setenv("MPISHM_NET", "0", 0); /* the original patterns are to be MPI's alone */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct options o = read_options(argc, argv, rank);
  struct machine machine;
  struct halo h = describe_halo(&o, &machine);
  unsigned char *send = checked_malloc((long)o.npartner * o.max_bytes);
  unsigned char *receive = checked_malloc((long)o.npartner * o.max_bytes);
  point_buffers(&h, send, receive);
  if (o.count > 0)
    lockstep_set_up(&h);
  int count = set_up_patterns(runners, &o, &h);

  run(&o, &h, &machine, runners, count);

  for (int p = 0; p < count; p++)
    runners[p].pattern->tear_down();
  if (o.count > 0)
    lockstep_tear_down();
  free(send);
  free(receive);
  MPI_Finalize();
  return 0;
}
