/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Statistics of all ranks on rank 0. Each rank sends one message on a communicator of our own:
 *
 *   struct report_head | struct report_site[sites] | the modules' paths, each with its final zero
 *
 * in the memory layout of these structs, which all ranks of a job share.
 */
#include "base/handles.h"
#include "next/next.h"
#include "watch/statistics.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A rank that has not reported for so long after the last one is late: what is there is written, and once more when
 * all have come. It may still be computing; and if it never comes, the others' numbers must not be lost. */
enum { LATE_SECONDS = 5 };

struct report_head {
  int32_t leader;
  uint32_t sites;
  double seconds;
  char host[sizeof((struct rank_summary *)NULL)->host];
};

struct report_site {
  uint32_t call;
  uint32_t module; /* where its path starts, from the first path */
  uint64_t offset;
  struct counts counts;
};

/* ---- A rank's report. ---- */

struct report {
  char *bytes;
  size_t length;
};

static struct site *site_at(const struct handle_table *sites, size_t i) { return sites->entries[i].value; }

/* An empty report, without sites, where there is no memory for more. */
static struct report report_make(int leader, double seconds, const struct handle_table *sites) {
  struct report report = {NULL, sizeof(struct report_head)};
  size_t slots = sites->entries ? sites->mask + 1 : 0, text = 0;
  for (size_t i = 0; i < slots; i++)
    if (site_at(sites, i))
      text += strlen(module_offset_of(site_at(sites, i)->address).module) + 1;
  size_t paths = sizeof(struct report_head) + sites->count * sizeof(struct report_site);
  report.bytes = calloc(1, paths + text);
  if (!report.bytes)
    return report;
  report.length = paths + text;
  struct report_head *head = (struct report_head *)report.bytes;
  *head = (struct report_head){.leader = leader, .sites = (uint32_t)sites->count, .seconds = seconds};
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  PMPI_Get_processor_name(name, &length);
  snprintf(head->host, sizeof head->host, "%.*s", (int)sizeof head->host - 1, name);
  struct report_site *out = (struct report_site *)(head + 1);
  char *path = report.bytes + paths;
  for (size_t i = 0; i < slots; i++) {
    const struct site *site = site_at(sites, i);
    if (!site)
      continue;
    struct module_offset where = module_offset_of(site->address);
    *out++ = (struct report_site){.call = site->call,
                                  .module = (uint32_t)(path - (report.bytes + paths)),
                                  .offset = where.offset,
                                  .counts = site->counts};
    path = stpcpy(path, where.module) + 1;
  }
  return report;
}

/* ---- Adding reports up. ---- */

struct collection {
  struct summary summary;
  size_t site_capacity;
  struct handle_table index; /* of sites, by hash; values are their numbers from 1 */
  int *leaders;              /* per rank that reported */
  int *node_of;              /* per rank: the number of the node that it leads */
};

static uint64_t hash_site(const struct report_site *site, const char *module) {
  uint64_t hash = UINT64_C(14695981039346656037) ^ site->offset; /* FNV-1a */
  for (; *module; module++)
    hash = (hash ^ (unsigned char)*module) * UINT64_C(1099511628211);
  return hash * 31 + site->call;
}

/* The summary of a site, a new one if need be; NULL where there is no memory. */
static struct site_summary *summary_site(struct collection *all, const struct report_site *site, const char *module) {
  struct summary *summary = &all->summary;
  uint64_t key = hash_site(site, module);
  for (;; key++) {
    size_t number = (size_t)(uintptr_t)handle_find(&all->index, key);
    if (number == 0)
      break;
    struct site_summary *found = &summary->sites[number - 1];
    if (found->offset == site->offset && found->call == site->call && strcmp(found->module, module) == 0)
      return found;
  }
  if (summary->site_count == all->site_capacity) {
    size_t capacity = 2 * all->site_capacity + 64;
    struct site_summary *larger = realloc(summary->sites, capacity * sizeof *larger);
    if (!larger)
      return NULL;
    summary->sites = larger;
    all->site_capacity = capacity;
  }
  char *copy = strdup(module);
  if (!copy || !handle_set(&all->index, key, (void *)(uintptr_t)(summary->site_count + 1))) {
    free(copy);
    return NULL;
  }
  struct site_summary *made = &summary->sites[summary->site_count++];
  *made = (struct site_summary){.call = (enum call)site->call, .module = copy, .offset = site->offset};
  return made;
}

static void add_counts(struct site_summary *site, int rank, const struct counts *counts) {
  counts_add(&site->counts, counts);
  if (site->ranks++ == 0 || counts->nanoseconds > site->most_nanoseconds) {
    site->most_nanoseconds = counts->nanoseconds;
    site->most_rank = rank;
  }
}

static void add_report(struct collection *all, int rank, const struct report *report) {
  struct rank_summary *of_rank = &all->summary.ranks[rank];
  all->leaders[rank] = rank;
  of_rank->reported = true;
  all->summary.reported++;
  if (!report->bytes)
    return;
  const struct report_head *head = (const struct report_head *)report->bytes;
  const struct report_site *sites = (const struct report_site *)(head + 1);
  const char *modules = (const char *)(sites + head->sites);
  all->leaders[rank] = head->leader;
  of_rank->seconds = head->seconds;
  memcpy(of_rank->host, head->host, sizeof of_rank->host);
  for (uint32_t i = 0; i < head->sites; i++) {
    struct site_summary *site = summary_site(all, &sites[i], modules + sites[i].module);
    counts_add(&of_rank->counts, &sites[i].counts);
    if (site)
      add_counts(site, rank, &sites[i].counts);
  }
  counts_add(&all->summary.counts, &of_rank->counts);
} /* NOLINT(clang-analyzer-unix.Malloc): what summary_site allocates belongs to the summary */

/* Nodes in the order of their first ranks that reported. */
static void number_nodes(struct collection *all) {
  struct summary *summary = &all->summary;
  summary->nodes = 0;
  for (int rank = 0; rank < summary->size; rank++)
    all->node_of[rank] = -1;
  for (int rank = 0; rank < summary->size; rank++) {
    if (!summary->ranks[rank].reported)
      continue;
    int *node = &all->node_of[all->leaders[rank]];
    if (*node < 0)
      *node = summary->nodes++;
    summary->ranks[rank].node = *node;
  }
}

/* ---- Naming and sorting. ---- */

static int compare_text(const char *a, const char *b) { return a && b ? strcmp(a, b) : (a == NULL) - (b == NULL); }

static int compare_addresses(const void *left, const void *right) {
  const struct site_summary *a = left, *b = right;
  int order = strcmp(a->module, b->module);
  return order ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

static int compare_places(const void *left, const void *right) {
  const struct site_summary *a = left, *b = right;
  int order = compare_text(a->place.file, b->place.file);
  if (order == 0 && a->place.file)
    order = a->place.line - b->place.line;
  if (order == 0)
    order = a->place.file ? (int)a->call - (int)b->call : 0;
  return order ? order : compare_addresses(left, right);
}

static bool same_place(const struct site_summary *a, const struct site_summary *b) {
  return a->place.file && b->place.file && a->call == b->call && a->place.line == b->place.line &&
         strcmp(a->place.file, b->place.file) == 0;
}

static void clear_site(struct site_summary *site) {
  place_clear(&site->place);
  free(site->module);
}

/* Sites with one file and line become one: a call in a function that was inlined, or a template. */
static void merge_places(struct summary *summary) {
  size_t kept = 0;
  for (size_t i = 0; i < summary->site_count; i++) {
    struct site_summary *site = &summary->sites[i], *last = kept ? &summary->sites[kept - 1] : NULL;
    if (last && same_place(last, site)) {
      counts_add(&last->counts, &site->counts);
      last->ranks = site->ranks > last->ranks ? site->ranks : last->ranks;
      if (site->most_nanoseconds > last->most_nanoseconds) {
        last->most_nanoseconds = site->most_nanoseconds;
        last->most_rank = site->most_rank;
      }
      clear_site(site);
    } else {
      summary->sites[kept++] = *site;
    }
  }
  summary->site_count = kept;
}

/* Ends the collection of sites: their numbers change. */
static void finish_sites(struct collection *all) {
  struct summary *summary = &all->summary;
  if (summary->site_count == 0)
    return;
  qsort(summary->sites, summary->site_count, sizeof *summary->sites, compare_addresses);
  for (size_t i = 0; i < summary->site_count; i++)
    summary->sites[i].place = place_find(summary->sites[i].module, summary->sites[i].offset);
  places_close();
  qsort(summary->sites, summary->site_count, sizeof *summary->sites, compare_places);
  merge_places(summary);
}

/* ---- Rank 0. ---- */

/* One report if there is one; false: none yet. */
static bool receive_report(struct collection *all, MPI_Comm world) {
  MPI_Status status;
  int flag = 0, length = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, 0, world, &flag, &status);
  if (!flag)
    return false;
  PMPI_Get_count(&status, MPI_BYTE, &length);
  struct report report = {malloc((size_t)length + 1), (size_t)length};
  if (!report.bytes)
    abort(); /* the sender waits for this message */
  mpi_own.Recv(report.bytes, length, MPI_BYTE, status.MPI_SOURCE, 0, world, MPI_STATUS_IGNORE);
  add_report(all, status.MPI_SOURCE, &report);
  free(report.bytes);
  return true;
}

/* Writes what has come so far; the collection goes on with sites that have their own addresses. */
static void write_partial(const struct collection *all, summary_writer *write) {
  struct collection copy = {.summary = all->summary, .leaders = all->leaders, .node_of = all->node_of};
  struct summary *summary = &copy.summary;
  summary->sites = calloc(summary->site_count + 1, sizeof *summary->sites);
  for (size_t i = 0; summary->sites && i < summary->site_count; i++) {
    summary->sites[i] = all->summary.sites[i];
    summary->sites[i].module = strdup(all->summary.sites[i].module);
    if (!summary->sites[i].module)
      abort();
  }
  summary->site_count = summary->sites ? summary->site_count : 0;
  number_nodes(&copy);
  finish_sites(&copy);
  write(summary);
  for (size_t i = 0; i < summary->site_count; i++)
    clear_site(&summary->sites[i]);
  free(summary->sites);
}

static void receive_reports(struct collection *all, MPI_Comm world, summary_writer *write) {
  static const struct timespec moment = {0, 200000};
  const uint64_t patience = LATE_SECONDS * UINT64_C(1000000000);
  uint64_t last = watch_clock();
  bool written = false;
  while (all->summary.reported < all->summary.size) {
    if (receive_report(all, world)) {
      last = watch_clock();
    } else if (!written && watch_clock() - last > patience) {
      write_partial(all, write);
      written = true;
    } else {
      nanosleep(&moment, NULL);
    }
  }
}

void statistics_collect(MPI_Comm world, int leader, double seconds, const struct handle_table *sites,
                        summary_writer *write) {
  int rank;
  struct collection all = {.site_capacity = 0};
  struct report mine = report_make(leader, seconds, sites);
  PMPI_Comm_rank(world, &rank);
  PMPI_Comm_size(world, &all.summary.size);
  if (rank != 0) {
    mpi_own.Send(mine.bytes, mine.bytes ? (int)mine.length : 0, MPI_BYTE, 0, 0, world);
    free(mine.bytes);
    return;
  }
  all.summary.ranks = calloc((size_t)all.summary.size, sizeof *all.summary.ranks);
  all.leaders = calloc((size_t)all.summary.size, sizeof *all.leaders);
  all.node_of = calloc((size_t)all.summary.size, sizeof *all.node_of);
  if (!all.summary.ranks || !all.leaders || !all.node_of)
    abort(); /* the others wait for this rank */
  add_report(&all, 0, &mine);
  receive_reports(&all, world, write);
  number_nodes(&all);
  finish_sites(&all);
  write(&all.summary);
  for (size_t i = 0; i < all.summary.site_count; i++)
    clear_site(&all.summary.sites[i]);
  free(all.summary.sites);
  free(all.summary.ranks);
  free(all.leaders);
  free(all.node_of);
  handle_table_destroy(&all.index);
  free(mine.bytes);
}
