/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Statistics as a table for people.
 */
#include "mpishm.h"
#include "watch/slips.h"
#include "watch/statistics.h"

static const char *const direction_names[DIRECTIONS] = {[RECEIVED] = "received", [SENT] = "sent"};

/* What the paths are called in a sentence. */
static const char *const path_texts[PATH_COUNT] = {
    [PATH_INLINE] = "in a cell",
    [PATH_EAGER] = "eager",
    [PATH_WINDOW] = "one copy in the window",
    [PATH_KERNEL] = "one copy by the kernel",
    [PATH_STAGED] = "staged",
    [PATH_MPI_OTHER_NODE] = "MPI (other node)",
    [PATH_MPI_NODEWISE] = "MPI (communicator of several nodes)",
    [PATH_MPI_UNREGISTERED] = "MPI (communicator not registered)",
    [PATH_MPI_WINDOW_FULL] = "MPI (window full)",
    [PATH_MPI_NO_WINDOW] = "MPI (node without window)",
    [PATH_MPI_DISABLED] = "MPI (disabled)",
};

static const char *byte_text(uint64_t bytes, char text[32]) {
  static const char units[] = "BkMGTPE";
  double value = (double)bytes;
  int unit = 0;
  while (value >= 999.5 && unit < 6) {
    value /= 1000;
    unit++;
  }
  if (unit == 0)
    snprintf(text, 32, "%llu B", (unsigned long long)bytes);
  else
    snprintf(text, 32, "%.1f %cB", value, units[unit]);
  return text;
}

static void text_tallies(const struct counts *counts, const char *indent, FILE *to) {
  char bytes[32];
  for (int direction = SENT; direction >= RECEIVED; direction--)
    for (int path = 0; path < PATH_COUNT; path++) {
      const struct tally *tally = &counts->tallies[direction][path];
      if (tally->messages)
        fprintf(to, "%s%11llu %10s   %s, %s\n", indent, (unsigned long long)tally->messages,
                byte_text(tally->bytes, bytes), direction_names[direction], path_texts[path]);
    }
  if (counts->left_to_library)
    fprintf(to, "%s%11llu %10s   calls left to the library\n", indent, (unsigned long long)counts->left_to_library, "");
}

static void text_missing(const struct summary *summary, FILE *to) {
  fprintf(to,
          "  %d of %d ranks have not reached MPI_Finalize yet and are missing here:", summary->size - summary->reported,
          summary->size);
  for (int rank = 0, named = 0; rank < summary->size && named <= 16; rank++)
    if (!summary->ranks[rank].reported)
      fprintf(to, named++ < 16 ? " %d" : " ...", rank);
  fputc('\n', to);
}

static void text_head(const struct summary *summary, FILE *to) {
  char library[600];
  mpi_library_name(library, sizeof library);
  fprintf(to, "mpishm statistics: %d rank%s on %d node%s; mpishm %s; %s\n", summary->size,
          summary->size == 1 ? "" : "s", summary->nodes, summary->nodes == 1 ? "" : "s",
          MPISHM_VERSION_TEXT(MPISHM_VERSION_MAJOR, MPISHM_VERSION_MINOR, MPISHM_VERSION_PATCH), library);
  if (summary->reported < summary->size)
    text_missing(summary, to);
  net_text(library, sizeof library);
  fprintf(to, "  net for calls that were not rewritten: %s\n", library);
}

/* How much of the run was spent in the calls, on average and by the slowest rank. */
static void text_time(const struct summary *summary, FILE *to) {
  int most = 0;
  double seconds = 0;
  for (int rank = 0; rank < summary->size; rank++) {
    if (summary->ranks[rank].seconds > seconds)
      seconds = summary->ranks[rank].seconds;
    if (summary->ranks[rank].counts.nanoseconds > summary->ranks[most].counts.nanoseconds)
      most = rank;
  }
  fprintf(to, "  seconds in these calls: %.6f per rank, %.6f in rank %d; the run took %.6f\n",
          (double)summary->counts.nanoseconds * 1e-9 / summary->reported,
          (double)summary->ranks[most].counts.nanoseconds * 1e-9, most, seconds);
}

/* Where no site could be named, what would help. */
static void text_hint(const struct summary *summary, FILE *to) {
  size_t files = 0;
  for (size_t i = 0; i < summary->site_count; i++)
    files += summary->sites[i].place.file != NULL;
  if (summary->site_count == 0 || files)
    return;
  if (places_readable())
    fprintf(to, "  (compile and link with -g to see files and lines here)\n");
  else
    fprintf(to, "  (install libdw.so.1 of elfutils to see files and lines here, or ask: addr2line -fe %s 0x%llx)\n",
            summary->sites[0].module, (unsigned long long)summary->sites[0].offset);
}

void summary_write_text(const struct summary *summary, FILE *to) {
  text_head(summary, to);
  text_time(summary, to);
  fprintf(to, "\n   messages      bytes   all sites\n");
  text_tallies(&summary->counts, "", to);
  fprintf(to, "\n      calls     seconds       most rank   site\n");
  for (size_t i = 0; i < summary->site_count; i++) {
    const struct site_summary *site = &summary->sites[i];
    char place[4200];
    place_text(&site->place, site->module, site->offset, place, sizeof place);
    fprintf(to, "%11llu %11.6f %10.6f %4d   %s: %s\n", (unsigned long long)site->counts.calls,
            (double)site->counts.nanoseconds * 1e-9, (double)site->most_nanoseconds * 1e-9, site->most_rank, place,
            call_names[site->call]);
    text_tallies(&site->counts, "                   ", to);
  }
  text_hint(summary, to);
  fflush(to);
}
