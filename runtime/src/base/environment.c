/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* No more than any address space has, so that sums of such numbers are numbers. */
static const unsigned long long MOST_BYTES = 1ull << 48;

static char ignored[1000];

void environment_ignore(const char *name, const char *text, const char *expected) {
  char line[160];
  snprintf(line, sizeof line, "%s is '%.60s', expected %s", name, text, expected);
  size_t length = strlen(ignored);
  if (!strstr(ignored, line) && length + strlen(line) + 3 < sizeof ignored)
    snprintf(ignored + length, sizeof ignored - length, "%s%s", length ? "; " : "", line);
}

const char *environment_ignored(void) { return ignored; }

/* The power of two that a unit of bytes stands for: "", "K", "KB", "KiB" and so on, in small letters, too; -1: none. */
static int unit_of(const char *text) {
  static const char units[] = "kmgt";
  text += strspn(text, " ");
  const char *unit = *text ? strchr(units, *text | 32) : NULL;
  if (unit) {
    text++;
    if (*text == 'i')
      text++;
  }
  if (*text == 'B' || *text == 'b')
    text++;
  return *text ? -1 : unit ? (int)(unit - units + 1) * 10 : 0;
}

size_t environment_bytes(const char *name, size_t otherwise) {
  const char *text = getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  int unit = unit_of(end);
  if (end == text || unit < 0 || strchr(text, '-')) {
    environment_ignore(name, text, "bytes, as 65536 or 64M");
    return otherwise;
  }
  return (size_t)(value > MOST_BYTES >> unit ? MOST_BYTES : value << unit);
}

int environment_number(const char *name, int most) {
  const char *text = getenv(name);
  char *end;
  if (!text || !*text)
    return -1;
  long value = strtol(text, &end, 10);
  if (*end || value < 0) {
    environment_ignore(name, text, "a number, 0 or larger");
    return -1;
  }
  return value > most ? most : (int)value;
}

int environment_switch(const char *text) {
  static const char *const words[][2] = {{"0", "1"}, {"no", "yes"}, {"off", "on"}, {"false", "true"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    for (int on = 0; on < 2; on++)
      if (strcasecmp(text, words[i][on]) == 0)
        return on;
  return -1;
}

bool environment_flag(const char *name, bool otherwise) {
  const char *text = getenv(name);
  if (!text || !*text)
    return otherwise;
  int on = environment_switch(text);
  if (on < 0)
    environment_ignore(name, text, "0 or 1");
  return on < 0 ? otherwise : on;
}
