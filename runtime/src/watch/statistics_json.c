/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Statistics as JSON; the schema is in docs/reference.md.
 */
#include "mpishm.h"
#include "watch/slips.h"
#include "watch/statistics.h"

#include <string.h>
#include <sys/utsname.h>

/* Bytes that are not UTF-8 would make the file unreadable; they are replaced by '?'. The length of the sequence that
 * starts here, 0 when it is not one (RFC 3629, without the check for overlong forms). */
static int utf8_length(const unsigned char *c) {
  int length = *c < 0x80                 ? 1
               : *c >= 0xc2 && *c < 0xe0 ? 2
               : *c >= 0xe0 && *c < 0xf0 ? 3
               : *c >= 0xf0 && *c < 0xf5 ? 4
                                         : 0;
  for (int i = 1; i < length; i++)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  return length;
}

static void json_string(const char *text, FILE *to) {
  if (!text) {
    fputs("null", to);
    return;
  }
  fputc('"', to);
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    int length = utf8_length(c);
    if (*c == '"' || *c == '\\')
      fprintf(to, "\\%c", *c);
    else if (*c < 0x20)
      fprintf(to, "\\u%04x", *c);
    else if (length)
      fwrite(c, 1, (size_t)length, to);
    else
      fputc('?', to);
    c += length ? length : 1;
  }
  fputc('"', to);
}

static void json_member(const char *name, const char *text, FILE *to) {
  fprintf(to, "\"%s\": ", name);
  json_string(text, to);
}

/* "sent": {...}, "received": {...}: by path, without those that nothing went. */
static void json_tallies(const struct counts *counts, FILE *to) {
  for (int direction = SENT; direction >= RECEIVED; direction--) {
    const char *comma = "";
    fprintf(to, "\"%s\": {", direction == SENT ? "sent" : "received");
    for (int path = 0; path < PATH_COUNT; path++) {
      const struct tally *tally = &counts->tallies[direction][path];
      if (!tally->messages)
        continue;
      fprintf(to, "%s\"%s\": {\"messages\": %llu, \"bytes\": %llu}", comma, path_names[path],
              (unsigned long long)tally->messages, (unsigned long long)tally->bytes);
      comma = ", ";
    }
    fputs(direction == SENT ? "}, " : "}", to);
  }
}

static void json_counts(const struct counts *counts, FILE *to) {
  fprintf(to, "\"calls\": %llu, \"seconds\": %.9f, \"left_to_library\": %llu, ", (unsigned long long)counts->calls,
          (double)counts->nanoseconds * 1e-9, (unsigned long long)counts->left_to_library);
  json_tallies(counts, to);
}

static void processor_name(char *text, size_t bytes) {
  char line[256];
  FILE *info = fopen("/proc/cpuinfo", "r");
  snprintf(text, bytes, "unknown");
  while (info && fgets(line, sizeof line, info)) {
    char *value = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !value)
      continue;
    value[strcspn(value, "\n")] = '\0';
    snprintf(text, bytes, "%s", value + 1 + strspn(value + 1, " "));
    break;
  }
  if (info)
    fclose(info);
}

static void json_head(const struct summary *summary, FILE *to) {
  struct utsname system;
  char text[600];
  int version = 0, subversion = 0;
  uname(&system);
  PMPI_Get_version(&version, &subversion);
  fprintf(to, "{\n  \"mpishm\": \"%s\",\n",
          MPISHM_VERSION_TEXT(MPISHM_VERSION_MAJOR, MPISHM_VERSION_MINOR, MPISHM_VERSION_PATCH));
  mpi_library_name(text, sizeof text);
  fprintf(to, "  \"mpi\": {\"version\": \"%d.%d\", ", version, subversion);
  json_member("library", text, to);
  processor_name(text, sizeof text);
  fputs("},\n  \"machine\": {", to);
  json_member("processor", text, to);
  snprintf(text, sizeof text, "%s %s %s", system.sysname, system.release, system.machine);
  fputs(", ", to);
  json_member("system", text, to);
  net_text(text, sizeof text);
  fputs("},\n  ", to);
  json_member("net", text, to);
  fprintf(to, ",\n  \"ranks\": %d,\n  \"ranks_reported\": %d,\n  \"nodes\": %d,\n", summary->size, summary->reported,
          summary->nodes);
}

static void json_site(const struct site_summary *site, FILE *to) {
  char place[4200];
  place_text(&site->place, site->module, site->offset, place, sizeof place);
  fprintf(to, "    {\"call\": \"%s\", ", call_names[site->call]);
  json_member("place", place, to);
  fputs(", ", to);
  json_member("file", site->place.file, to);
  fprintf(to, ", \"line\": ");
  if (site->place.file)
    fprintf(to, "%d, ", site->place.line);
  else
    fprintf(to, "null, ");
  json_member("function", site->place.function, to);
  fputs(", ", to);
  json_member("module", site->module, to);
  fprintf(to, ", \"offset\": %llu,\n     \"ranks\": %d, \"most_seconds\": %.9f, \"most_rank\": %d, ",
          (unsigned long long)site->offset, site->ranks, (double)site->most_nanoseconds * 1e-9, site->most_rank);
  json_counts(&site->counts, to);
  fputc('}', to);
}

void summary_write_json(const struct summary *summary, FILE *to) {
  const char *comma = "";
  json_head(summary, to);
  fputs("  \"total\": {", to);
  json_counts(&summary->counts, to);
  fputs("},\n  \"sites\": [\n", to);
  for (size_t i = 0; i < summary->site_count; i++) {
    fputs(comma, to);
    json_site(&summary->sites[i], to);
    comma = ",\n";
  }
  fputs("\n  ],\n  \"per_rank\": [\n", to);
  comma = "";
  for (int rank = 0; rank < summary->size; rank++) {
    const struct rank_summary *of_rank = &summary->ranks[rank];
    if (!of_rank->reported)
      continue;
    fprintf(to, "%s    {\"rank\": %d, \"node\": %d, ", comma, rank, of_rank->node);
    json_member("host", of_rank->host, to);
    fprintf(to, ", \"run_seconds\": %.9f, ", of_rank->seconds);
    json_counts(&of_rank->counts, to);
    fputc('}', to);
    comma = ",\n";
  }
  fputs("\n  ]\n}\n", to);
}
