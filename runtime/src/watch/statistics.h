/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPISHM_STATS: messages and bytes by path, calls and the time in them, per site. Each rank counts for itself; inside
 * MPI_Finalize rank 0 collects and writes (statistics_collect.c, statistics_text.c, statistics_json.c).
 *
 * Counting is done under the runtime's mutex.
 */
#ifndef MPISHM_STATISTICS_H
#define MPISHM_STATISTICS_H

#include "base/handles.h"
#include "watch/places.h"
#include "watch/watch.h"

#include <stdio.h>

struct tally {
  uint64_t messages, bytes;
};
enum direction { RECEIVED, SENT, DIRECTIONS };

/* Of one site, or of all sites of a rank. */
struct counts {
  uint64_t calls, nanoseconds; /* in these calls: waiting, and the copying that is done meanwhile */
  uint64_t left_to_library;    /* of these calls (members/trials.h) */
  struct tally tallies[DIRECTIONS][PATH_COUNT];
};
void counts_add(struct counts *to, const struct counts *from);

/* A site of this rank. */
struct site {
  enum call call;
  const void *address;
  struct counts counts;
};

/* ---- statistics.c: counting. ---- */

/* Whether this rank's environment asks for statistics. */
bool statistics_wanted(void);
/* Collective over MPI_COMM_WORLD. */
void statistics_start(void);
void statistics_end(void);
/* One call of an entry point. Nothing happens where statistics are off. */
void statistics_call(enum call call, const void *site, uint64_t nanoseconds, bool left_to_library);
void statistics_message(enum call call, const void *site, bool is_send, enum path path, uint64_t bytes);

/* ---- statistics_collect.c: all ranks' counts, on rank 0. ---- */

/* What a rank tells of itself; lives in rank 0's memory. */
struct rank_summary {
  bool reported;
  int node;       /* 0, 1, ... in the order of their first ranks */
  double seconds; /* between attach and finalize */
  char host[64];
  struct counts counts;
};

/* A site of any rank; return addresses with the same file and line are one. */
struct site_summary {
  enum call call;
  char *module;
  uint64_t offset;
  struct place place;
  int ranks; /* that came here */
  struct counts counts;
  uint64_t most_nanoseconds; /* of one rank */
  int most_rank;
};

struct summary {
  int size, reported, nodes;
  struct rank_summary *ranks; /* per rank of MPI_COMM_WORLD */
  struct site_summary *sites; /* by file and line, then by module and offset */
  size_t site_count;
  struct counts counts; /* of all */
};

/* Called on rank 0 with what is there: when all ranks have reported, and once before if some are late. */
typedef void summary_writer(const struct summary *summary);
/* Collective over `world`: this rank's sites go to rank 0. `leader`: the first rank of this rank's node. */
void statistics_collect(MPI_Comm world, int leader, double seconds, const struct handle_table *sites,
                        summary_writer *write);

/* ---- statistics_text.c, statistics_json.c. ---- */

void summary_write_text(const struct summary *summary, FILE *to);
void summary_write_json(const struct summary *summary, FILE *to);

/* The version of MPI, in one line. */
void mpi_library_name(char *text, size_t bytes);
#define MPISHM_VERSION_TEXT_(a, b, c) #a "." #b "." #c
#define MPISHM_VERSION_TEXT(a, b, c) MPISHM_VERSION_TEXT_(a, b, c)

#endif
