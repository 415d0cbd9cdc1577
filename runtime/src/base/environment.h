/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Environment variables as values. Thread safety: that of getenv; and what was ignored is told to one thread.
 */
#ifndef MPISHM_ENVIRONMENT_H
#define MPISHM_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Notes that the environment variable `name` has the value `text`, which is none of what is expected. */
void environment_ignore(const char *name, const char *text, const char *expected);
/* What was noted so, in one line; empty where nothing was. */
const char *environment_ignored(void);

/* The value of an environment variable as bytes ("64M", "64 MiB"), 2^48 at most, or `otherwise` where it is not set or
 * no number. */
size_t environment_bytes(const char *name, size_t otherwise);
/* A number from 0 to `most`, which larger ones become; -1 where the variable is not set, empty, or no such number. */
int environment_number(const char *name, int most);
/* 0: "0", "no", "off" and "false"; 1: "1", "yes", "on" and "true", in large letters, too; -1: any other text. */
int environment_switch(const char *text);
/* The same of an environment variable; `otherwise` where it is not set, empty, or another text. */
bool environment_flag(const char *name, bool otherwise);

#endif
