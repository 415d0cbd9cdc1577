/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/environment.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t environment_bytes(const char *name, size_t otherwise) {
  const char *text = getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (end == text || *text == '-')
    return otherwise;
  switch (*end) {
  case 'k':
  case 'K':
    return (size_t)value << 10;
  case 'm':
  case 'M':
    return (size_t)value << 20;
  case 'g':
  case 'G':
    return (size_t)value << 30;
  default:
    return (size_t)value;
  }
}

int environment_number(const char *name, int most) {
  const char *text = getenv(name);
  char *end;
  if (!text || !*text)
    return -1;
  long value = strtol(text, &end, 10);
  return *end || value < 0 ? -1 : value > most ? most : (int)value;
}

bool environment_flag(const char *name, bool otherwise) {
  const char *text = getenv(name);
  if (!text || !*text)
    return otherwise;
  return strcmp(text, "0") != 0 && strcasecmp(text, "no") != 0 && strcasecmp(text, "off") != 0 &&
         strcasecmp(text, "false") != 0;
}
