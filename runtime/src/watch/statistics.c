/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPISHM_STATS: counting, and where the result goes.
 */
#include "watch/statistics.h"
#include "base/environment.h"
#include "base/handles.h"
#include "next/next.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct {
  bool on;
  uint64_t started;
  MPI_Comm world;            /* of our own */
  int leader;                /* the first rank of this node */
  struct handle_table sites; /* by return address */
  struct site *last;         /* programs come back to a site soon */
} statistics;

bool statistics_wanted(void) {
  const char *where = getenv("MPISHM_STATS");
  return where && *where && environment_switch(where) != 0;
}

void statistics_start(void) {
  MPI_Comm node;
  int rank;
  statistics.on = true;
  statistics.started = watch_clock();
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  /* Not a duplicate: that would copy the program's attributes. */
  PMPI_Comm_split(MPI_COMM_WORLD, 0, rank, &statistics.world);
  PMPI_Comm_set_errhandler(statistics.world, MPI_ERRORS_RETURN);
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  statistics.leader = rank;
  mpi_own.Bcast(&statistics.leader, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
}

/* ---- Counting. ---- */

/* NULL where there is no memory: then nothing is counted there. */
static struct site *site_find(enum call call, const void *address) {
  if (statistics.last && statistics.last->address == address)
    return statistics.last;
  struct site *site = handle_find(&statistics.sites, HANDLE_KEY(address));
  if (!site) {
    site = calloc(1, sizeof *site);
    if (!site || !handle_set(&statistics.sites, HANDLE_KEY(address), site)) {
      free(site);
      return NULL;
    }
    site->call = call;
    site->address = address;
  }
  return statistics.last = site;
}

void statistics_call(enum call call, const void *address, uint64_t nanoseconds, bool left_to_library) {
  struct site *site = statistics.on ? site_find(call, address) : NULL;
  if (!site)
    return;
  site->counts.calls++;
  site->counts.nanoseconds += nanoseconds;
  site->counts.left_to_library += left_to_library;
}

void statistics_message(enum call call, const void *address, bool is_send, enum path path, uint64_t bytes) {
  struct site *site = statistics.on ? site_find(call, address) : NULL;
  if (!site)
    return;
  struct tally *tally = &site->counts.tallies[is_send ? SENT : RECEIVED][path];
  tally->messages++;
  tally->bytes += bytes;
}

void counts_add(struct counts *to, const struct counts *from) {
  to->calls += from->calls;
  to->nanoseconds += from->nanoseconds;
  to->left_to_library += from->left_to_library;
  for (int direction = 0; direction < DIRECTIONS; direction++)
    for (int path = 0; path < PATH_COUNT; path++) {
      to->tallies[direction][path].messages += from->tallies[direction][path].messages;
      to->tallies[direction][path].bytes += from->tallies[direction][path].bytes;
    }
}

/* ---- The end. ---- */

/* A table on standard error for "1" and its like; else a file, JSON where its name says so. Called by rank 0 alone. */
static void write_summary(const struct summary *summary) {
  const char *where = getenv("MPISHM_STATS");
  bool named = where && *where && environment_switch(where) < 0;
  FILE *file = named ? fopen(where, "w") : NULL;
  if (named && !file)
    fprintf(stderr, "mpishm: warning: MPISHM_STATS: cannot write %s: %s\n", where, strerror(errno));
  size_t length = where ? strlen(where) : 0;
  if (file && length > 5 && strcmp(where + length - 5, ".json") == 0)
    summary_write_json(summary, file);
  else
    summary_write_text(summary, file ? file : stderr);
  if (file && fclose(file) != 0)
    fprintf(stderr, "mpishm: warning: MPISHM_STATS: cannot write %s: %s\n", where, strerror(errno));
}

void statistics_end(void) {
  if (!statistics.on)
    return;
  double seconds = (double)(watch_clock() - statistics.started) * 1e-9;
  statistics_collect(statistics.world, statistics.leader, seconds, &statistics.sites, write_summary);
  for (size_t i = 0; statistics.sites.entries && i <= statistics.sites.mask; i++)
    free(statistics.sites.entries[i].value);
  handle_table_destroy(&statistics.sites);
  statistics.last = NULL;
  statistics.on = false;
  PMPI_Comm_free(&statistics.world);
}

void mpi_library_name(char *text, size_t bytes) {
  char name[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  PMPI_Get_library_version(name, &length);
  name[strcspn(name, "\n")] = '\0';
  for (char *c = name; *c; c++)
    *c = *c == '\t' ? ' ' : *c;
  snprintf(text, bytes, "%.*s", (int)bytes - 1, name);
}
